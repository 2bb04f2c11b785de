import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETUP_INTENT_STATUSES } from '@pos/core/setup-intents';
import { RELEASES, type Release } from '@pos/rest-contracts/versions';
import { isLongRun } from '@pos/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';
import { bringSetupTo, createSetup, recordSetupDecline } from '../testing/setup-requests.js';

type Json = Readonly<Record<string, unknown>>;

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const FULL_SETUP = {
  ...{ description: 'd', intendedAmount: { value: 2_500, currencyCode: 'GBP' } },
  paymentMethods: ['Card', 'SavedCard'],
  customer: { emailAddress: 'ada@example.com' },
  billingAddress: { address1: '1 High Street', city: 'Bristol', postcode: 'BS1 1AA', countryCode: 'GB' },
  metadata: { table: '7' },
} as const;

/** Every status in which a setup intent can be read, and one after a refused card, which may not be visible. */
const STATES = [...SETUP_INTENT_STATUSES, 'refused', 'refused without a card'] as const;
const HAS_OUTCOME = new Set<string>([
  'Authorized',
  'CardExpired',
  'Completed',
  'Closed',
  'refused',
  'refused without a card',
]);

// The oldest release undoes all changes; the long run has each.
describe.each(isLongRun ? RELEASES : RELEASES.slice(0, 1))('under %s', (release) => {
  test.each(STATES)('a setup intent that is %s has the members of the served document and no other', async (state) => {
    const { id } = await createSetup(testEnvironment, FULL_SETUP);
    if (state === 'refused' || state === 'refused without a card')
      await recordSetupDecline(testEnvironment, id, state === 'refused');
    else await bringSetupTo(testEnvironment, id, state);
    const document = await readDocument(release);
    for (const [path, schema] of [
      [`/setup-intents/${id}`, 'SetupIntent'],
      [`/setup-intents/public/${id}`, 'PublicSetupIntent'],
    ] as const) {
      const answer = await testEnvironment.sendRequest('GET', path, { headers: { version: release } });
      if (answer.status === 404) continue;
      expect([answer.status, answer.headers['version']]).toEqual([200, release]);
      const visible = parseJson(answer);
      // Everybody with the link reads the public view, and the outcome is for the page of the attempt.
      expect('paymentDetails' in visible).toBe(schema === 'SetupIntent' && HAS_OUTCOME.has(state));
      expect(findDifferences(document, { $ref: `#/components/schemas/${schema}` }, { value: visible })).toEqual([]);
    }
  });
});

test('unlisted members and missing required members are differences from the document', async () => {
  const { id } = await createSetup(testEnvironment, FULL_SETUP);
  await bringSetupTo(testEnvironment, id, 'Authorized');
  const document = await readDocument('2022-04-07');
  const { status: _, ...visible } = parseJson(await testEnvironment.sendRequest('GET', `/setup-intents/${id}`));
  const overrides = { ...visible, paymentDetails: { ...(visible['paymentDetails'] as Json), card: { pin: 1 } } };
  const differences = findDifferences(document, { $ref: '#/components/schemas/SetupIntent' }, { value: overrides });
  expect(differences).toContain('.status is missing');
  expect(differences).toContain('.paymentDetails.card.pin is not listed');
});

/** The document that the service serves for a release. */
async function readDocument(release: Release): Promise<Json> {
  const answer = await testEnvironment.sendRequest('GET', '/openapi.json', { headers: { version: release } });
  expect(answer.status).toBe(200);
  return parseJson(answer);
}

/** Lists where a value differs from a schema: unlisted or missing members, and texts that an enum does not list. */
function findDifferences(
  document: Json,
  written: unknown,
  { value, at = '' }: { value: unknown; at?: string },
): string[] {
  const schema = resolveReference(document, written);
  const { properties, required = [], items, enum: allowed, additionalProperties } = schema;
  if (Array.isArray(allowed) && !allowed.includes(value)) return [`${at} is ${String(value)}`];
  if (Array.isArray(value))
    return value.flatMap((each, index) => findDifferences(document, items, { value: each, at: `${at}[${index}]` }));
  if (typeof value !== 'object' || value === null) return [];
  const members = value as Json;
  const listed = (properties ?? {}) as Json;
  const missing = (required as readonly string[]).filter((name) => !(name in members));
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(members).flatMap(([name, member]) => {
      if (name in listed) return findDifferences(document, listed[name], { value: member, at: `${at}.${name}` });
      // An open object, such as the metadata.
      return additionalProperties === undefined || additionalProperties === false
        ? [`${at}.${name} is not listed`]
        : [];
    }),
  ];
}

function resolveReference(document: Json, written: unknown): Json {
  const schema = (written ?? {}) as Json;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((here, step) => (here as Json)[step], document);
  return resolveReference(document, found);
}
