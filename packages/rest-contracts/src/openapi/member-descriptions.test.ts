import { describe, expect, test } from '@jest/globals';
import { CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE } from '../card-vault/client-payments.js';
import { eposDataDocument } from '../epos-data/epos-data-document.js';
import { API_OPERATIONS, API_TITLE } from '../operations/operations.js';
import { HEALTH_OPERATIONS } from '../operators/health.js';
import { TESTER_OPERATIONS } from '../operators/tester.js';
import { SIMULATOR_OPERATIONS } from '../sandbox/simulator.js';
import { openApiDocument } from './openapi.js';
import { RELEASES } from '../versions/versions.js';

type Json = Readonly<Record<string, unknown>>;

/** A member of a shape or a parameter, with the description that the document has of it. */
interface DescribedMember {
  readonly path: string;
  readonly name: string;
  readonly description: unknown;
}

const TESTER_TITLE = { title: 'EPOS tester', description: '' };
const SIMULATOR_TITLE = { title: 'Device simulator', description: '' };

const DOCUMENTS: readonly (readonly [string, Json])[] = [
  ...RELEASES.map(
    (release) =>
      [
        `the API in release ${release}`,
        openApiDocument([...HEALTH_OPERATIONS, ...API_OPERATIONS], API_TITLE, release),
      ] as const,
  ),
  ['the card vault', openApiDocument([...HEALTH_OPERATIONS, ...CARD_VAULT_OPERATIONS], CARD_VAULT_TITLE)],
  ['the EPOS tester', openApiDocument([...HEALTH_OPERATIONS, ...TESTER_OPERATIONS], TESTER_TITLE)],
  ['the device simulator', openApiDocument(SIMULATOR_OPERATIONS, SIMULATOR_TITLE)],
  ['the EPOS Data API', eposDataDocument()],
];

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every member in a document, at every depth; examples and defaults are values and have no members of shapes. */
function listMembers(part: unknown, path = '#'): DescribedMember[] {
  if (Array.isArray(part)) return part.flatMap((each: unknown, place) => listMembers(each, `${path}/${place}`));
  if (!isJson(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'examples' || name === 'example' || name === 'default') return [];
    // A member may itself be called `properties`, so the map of members is not read as a schema.
    if (name === 'properties' && isJson(value)) return listProperties(value, path);
    const deeper = listMembers(value, `${path}/${name}`);
    if (name === 'parameters' && Array.isArray(value)) return [...listParameters(value, path), ...deeper];
    return deeper;
  });
}

function listProperties(properties: Json, path: string): DescribedMember[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { path: `${path}/${name}`, name, description: isJson(schema) ? schema['description'] : undefined },
    ...listMembers(schema, `${path}/${name}`),
  ]);
}

function listParameters(parameters: readonly unknown[], path: string): DescribedMember[] {
  return parameters.filter(isJson).flatMap((parameter) => {
    // A reference is described where it is defined.
    if ('$ref' in parameter) return [];
    const name = String(parameter['name']);
    return [{ path: `${path}/${name}`, name, description: parameter['description'] }];
  });
}

function listWords(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !FILLERS.has(word));
}

const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'is', 'its', 'this']);

/** What is wrong with a description; null when it says something that the name does not. */
function findDefect({ name, description }: DescribedMember): string | null {
  if (typeof description !== 'string' || description === '') return 'has no description';
  if (!/[.:]$/.test(description)) return 'does not end a sentence';
  const ownWords = listWords(name);
  return listWords(description).every((word) => ownWords.includes(word)) ? 'repeats its name' : null;
}

describe.each(DOCUMENTS)('the document of %s', (_, document) => {
  const members = listMembers(document);

  test('describes every member of every shape', () => {
    expect(members.length).toBeGreaterThan(0);
    const defects = members.flatMap((member) => {
      const defect = findDefect(member);
      return defect === null ? [] : [`${member.path} ${defect}`];
    });
    expect(defects).toEqual([]);
  });
});

test.each([
  ['no description', { name: 'amount', description: undefined }, 'has no description'],
  ['an empty description', { name: 'amount', description: '' }, 'has no description'],
  ['its name as a sentence', { name: 'createdAt', description: 'Created at.' }, 'repeats its name'],
  ['its name with an article', { name: 'terminalId', description: 'The id of the terminal.' }, 'repeats its name'],
  ['a fragment', { name: 'amount', description: 'Minor units' }, 'does not end a sentence'],
  ['its unit', { name: 'amount', description: 'Minor units.' }, null],
])('a member with %s is found', (_, member, defect) => {
  expect(findDefect({ path: '#', ...member })).toBe(defect);
});
