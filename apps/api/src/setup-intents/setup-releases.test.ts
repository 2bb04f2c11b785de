import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETUP_INTENT_STATUSES } from '@pos/core/setup-intent';
import { RELEASES, type Release } from '@pos/rest-contracts/versions';
import { ApiWorld, jsonOf } from '../testing.js';
import { bringSetup, createSetup, refuseSetup } from './testing.js';

type Json = Readonly<Record<string, unknown>>;

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const FULL = {
  ...{ description: 'd', intendedAmount: { value: 2_500, currencyCode: 'GBP' } },
  paymentMethods: ['Card', 'SavedCard'],
  customer: { name: 'Ada', emailAddress: 'ada@example.com' },
  billingAddress: { addressLine1: '1 High Street', city: 'Bristol', postCode: 'BS1 1AA', countryCode: 'GB' },
  metadata: { table: '7' },
} as const;

/** Every state that a setup intent can be read in, and one whose card was refused, which may not be shown. */
const STATES = [...SETUP_INTENT_STATUSES, 'refused', 'refused without a card'] as const;
const HAS_OUTCOME = new Set<string>([
  'Authorized',
  'CardExpired',
  'Completed',
  'Closed',
  'refused',
  'refused without a card',
]);

describe.each(RELEASES)('under %s', (release) => {
  test.each(STATES)('a setup intent that is %s has the members of the served document and no other', async (state) => {
    const { id } = await createSetup(world, FULL);
    if (state === 'refused' || state === 'refused without a card') await refuseSetup(world, id, state === 'refused');
    else await bringSetup(world, id, state);
    const document = await documentOf(release);
    for (const [path, schema] of [
      [`/setup-intents/${id}`, 'SetupIntent'],
      [`/setup-intents/public/${id}`, 'PublicSetupIntent'],
    ] as const) {
      const answer = await world.send('GET', path, { headers: { version: release } });
      if (answer.status === 404) continue;
      expect([answer.status, answer.headers['version']]).toEqual([200, release]);
      const shown = jsonOf(answer);
      expect('paymentDetails' in shown).toBe(HAS_OUTCOME.has(state));
      expect(differencesOf(document, { $ref: `#/components/schemas/${schema}` }, { value: shown })).toEqual([]);
    }
  });
});

test('a member that the document does not list is a difference, and so is a listed one that is missing', async () => {
  const { id } = await createSetup(world, FULL);
  await bringSetup(world, id, 'Authorized');
  const document = await documentOf('2022-04-07');
  const { status: _, ...shown } = jsonOf(await world.send('GET', `/setup-intents/${id}`));
  const spoilt = { ...shown, paymentDetails: { ...(shown['paymentDetails'] as Json), card: { pin: 1 } } };
  const differences = differencesOf(document, { $ref: '#/components/schemas/SetupIntent' }, { value: spoilt });
  expect(differences).toContain('.status is missing');
  expect(differences).toContain('.paymentDetails.card.pin is not listed');
});

/** The document that the service serves in a release. */
async function documentOf(release: Release): Promise<Json> {
  const answer = await world.send('GET', '/openapi.json', { headers: { version: release } });
  expect(answer.status).toBe(200);
  return jsonOf(answer);
}

/** Where a value differs from a schema: members that are not listed or missing, and texts that are none of an enum. */
function differencesOf(
  document: Json,
  written: unknown,
  { value, at = '' }: { value: unknown; at?: string },
): string[] {
  const schema = resolve(document, written);
  const { properties, required = [], items, enum: allowed, additionalProperties } = schema;
  if (Array.isArray(allowed) && !allowed.includes(value)) return [`${at} is ${String(value)}`];
  if (Array.isArray(value))
    return value.flatMap((each, index) => differencesOf(document, items, { value: each, at: `${at}[${index}]` }));
  if (typeof value !== 'object' || value === null) return [];
  const members = value as Json;
  const listed = (properties ?? {}) as Json;
  const missing = (required as readonly string[]).filter((name) => !(name in members));
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(members).flatMap(([name, member]) => {
      if (name in listed) return differencesOf(document, listed[name], { value: member, at: `${at}.${name}` });
      // Free members, such as those of the metadata.
      return additionalProperties === undefined || additionalProperties === false
        ? [`${at}.${name} is not listed`]
        : [];
    }),
  ];
}

function resolve(document: Json, written: unknown): Json {
  const schema = (written ?? {}) as Json;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((here, step) => (here as Json)[step], document);
  return resolve(document, found);
}
