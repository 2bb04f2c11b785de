import { beforeAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import { PROBLEM_REASONS } from '@pos/rest-contracts/problems';
import { RELEASES } from '@pos/rest-contracts/versions';
import type {
  ErrorDetails,
  Guide,
  MarkdownNode,
  ReferenceIndex,
  ReferenceOperation,
  Schema,
} from '../pages/reference/data/reference-data.js';
import { createReferenceFiles, type ReferenceFiles } from './reference-files.js';

const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));
let written: ReferenceFiles;
beforeAll(() => {
  written = createReferenceFiles(REPOSITORY);
});

const parsed = new Map<string, unknown>();

/** Releases share most files. */
function read<T>(address: string): T {
  if (!parsed.has(address)) parsed.set(address, parse(address));
  return parsed.get(address) as T;
}

function parse(address: string): unknown {
  const text = written.files.get(address.slice('/assets/'.length));
  if (text === undefined) throw new Error(`there is no file ${address}`);
  return JSON.parse(text) as unknown;
}

const readIndex = (release: string) => read<ReferenceIndex>(written.indexes[release] ?? '');

test('every release has an index, the newest first', () => {
  expect(Object.keys(written.indexes)).toEqual([...RELEASES].reverse());
});

test.each(RELEASES)('the index of %s has every operation of the contract once, with its file', (release) => {
  const { operations } = readIndex(release);
  const ids = operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const contract = [...API_OPERATIONS, ...CARD_VAULT_OPERATIONS, ...TESTER_OPERATIONS].map(({ id }) => id);
  expect(contract.filter((id) => !ids.includes(id))).toEqual([]);
  for (const { id, file } of operations) expect(read<ReferenceOperation>(file).id).toBe(id);
});

test.each(RELEASES)('every shape that an operation of %s refers to is in its file', (release) => {
  const missing = readIndex(release).operations.flatMap(({ id, file }) => {
    const operation = read<ReferenceOperation>(file);
    const names = [...JSON.stringify(operation).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name = '']) => name,
    );
    return names.filter((name) => !Object.hasOwn(operation.schemas, name)).map((name) => `${id} ${name}`);
  });
  expect(missing).toEqual([]);
});

test('a member of an older release has its older shape, and other operations share one file', () => {
  const files = RELEASES.map(
    (release) => new Map(readIndex(release).operations.map(({ id, file }) => [id, file] as const)),
  );
  expect(new Set(files.map((each) => each.get('createPaymentIntent'))).size).toBeGreaterThan(1);
  expect(new Set(files.map((each) => each.get('createApiKey'))).size).toBe(1);
});

test('every operation of the contract has an example; health has only its answer', () => {
  const [newest = ''] = Object.keys(written.indexes);
  const without = readIndex(newest)
    .operations.map(({ file }) => read<ReferenceOperation>(file))
    .filter(({ examples, server }) => examples.length === 0 && server !== 'epos')
    .map(({ id }) => id);
  expect(without).toEqual(['readLive', 'readReady']);
});

test('every member has a description or refers to a shape', () => {
  const [newest = ''] = Object.keys(written.indexes);
  const operation = read<ReferenceOperation>(
    readIndex(newest).operations.find(({ id }) => id === 'createPaymentIntent')?.file ?? '',
  );
  const bare = Object.entries(operation.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, schema]: [string, Schema]) => schema.description === undefined && schema.$ref === undefined)
      .map(([member]) => `${name}.${member}`),
  );
  expect(bare).toEqual([]);
});

test('every reason has an explanation, and the operations that can answer it', () => {
  const [newest = ''] = Object.keys(written.indexes);
  const { errors, errorsFile } = readIndex(newest);
  expect(errors.map(({ reason }) => reason)).toEqual([...PROBLEM_REASONS]);
  const details = read<ErrorDetails>(errorsFile);
  expect(Object.keys(details)).toEqual([...PROBLEM_REASONS]);
  expect(details['payment_intent_not_cancelable']?.operations).toEqual(['cancelPaymentIntent']);
});

test('every page of docs/integrate is a guide, and every link inside the reference leads to a page of it', () => {
  const [newest = ''] = Object.keys(written.indexes);
  const index = readIndex(newest);
  const pages = new Map<string, ReadonlySet<string>>([
    ...index.operations.map(({ id }) => [`/reference/operations/${id}`, new Set<string>()] as const),
    ...index.events.map(({ kind }) => [`/reference/events/${kind}`, new Set<string>()] as const),
    ...index.errors.map(({ reason }) => [`/reference/errors/${reason}`, new Set<string>()] as const),
    ['/reference/errors', new Set<string>()],
    ...index.guides.map(
      ({ id, file }) => [`/reference/guides/${id}`, new Set(listIds(read<Guide>(file).content))] as const,
    ),
  ]);
  const broken = index.guides.flatMap(({ id, file }) =>
    listLinks(read<Guide>(file).content)
      .filter((to) => to.startsWith('/'))
      .filter((to) => {
        const [page = '', anchor] = to.split('#', 2);
        const anchors = pages.get(page);
        return anchors === undefined || (anchor !== undefined && !anchors.has(anchor));
      })
      .map((to) => `${id} ${to}`),
  );
  expect(broken).toEqual([]);
  expect(index.guides.map(({ id }) => id)).toEqual(expect.arrayContaining(['quickstart', 'go-live', 'changelog']));
  expect(existsSync(`${REPOSITORY}docs/integrate/quickstart.md`)).toBe(true);
});

test('an operation and the guide that calls it link each other', () => {
  const [newest = ''] = Object.keys(written.indexes);
  const index = readIndex(newest);
  const readOperation = (id: string) =>
    read<ReferenceOperation>(index.operations.find((operation) => operation.id === id)?.file ?? '');
  expect(readOperation('createPaymentIntent').guides).toContain('quickstart');
  // Called inside a substitution of the shell, by the SDK, and named in a sentence.
  expect(readOperation('createSetupIntent').guides).toContain('quickstart');
  expect(readOperation('refundPaymentIntent').guides).toContain('typescript-sdk');
  expect(readOperation('getOrderPlacement').guides).toContain('order-and-pay');
  const guide = index.guides.find(({ id }) => id === 'order-and-pay');
  expect(listLinks(read<Guide>(guide?.file ?? '').content)).toContain('/reference/operations/getOrderPlacement');
});

function listLinks(nodes: readonly MarkdownNode[]): string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [...(node.to === undefined ? [] : [node.to]), ...listLinks(node.children)],
  );
}

function listIds(nodes: readonly MarkdownNode[]): string[] {
  return nodes.flatMap((node) => (typeof node === 'string' || node.id === undefined ? [] : [node.id]));
}
