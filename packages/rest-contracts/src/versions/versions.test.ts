import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { HEALTH_OPERATIONS } from '../operators/health.js';
import { toOlderShape } from './older-shapes.js';
import { openApiDocument } from '../openapi/openapi.js';
import { API_OPERATIONS, API_TITLE } from '../operations/operations.js';
import { NewPaymentIntent, PaymentIntent, PublicPaymentIntent } from '../payment-intents/payment-intents.js';
import { NewAmount } from '../payment-intents/payment-money.js';
import { readBody } from '../parsing/reading.js';
import { NewSetupIntent, SetupIntent } from '../setup-intents/setup-intents.js';
import { TerminalSession } from '../terminal-sessions/terminal-sessions.js';
import { changesAfter, VERSION_CHANGES } from './version-changes.js';
import { LATEST_RELEASE, type Release, RELEASES, resolveVersion } from './versions.js';

describe('the version header', () => {
  test.each([
    ['2022-04-07', '2022-04-07'],
    ['2023-11-11', '2022-04-07'],
    ['2023-11-12', '2023-11-12'],
    ['2024-02-04', '2023-12-12'],
    ['2024-02-29', '2024-02-05'],
    ['2026-02-26', '2025-09-10'],
    ['2026-02-27', '2026-02-27'],
    ['2999-12-31', '2026-02-27'],
  ])('%s selects %s', (sent, release) => {
    expect(resolveVersion(sent)).toBe(release);
  });

  test.each([
    '2022-04-06',
    '0001-01-01',
    '2023-02-29',
    '2026-13-01',
    '2026-2-27',
    '26-02-27',
    '2026-02-27T00:00:00Z',
    'latest',
    'v1',
    '2026-02-27 ',
    '',
  ])('%j selects none', (sent) => {
    expect(resolveVersion(sent)).toBeNull();
  });
});

/** The releases with a changed shape; those between them have equal shapes. */
const SHAPES = ['2022-04-07', '2024-02-05', '2025-09-10'] as const satisfies readonly Release[];

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const CARD = {
  cardNumber: '44565300****1014',
  last4PAN: '1014',
  cardName: 'A Guest',
  expiryDate: '2030-12-31',
  cardType: 'VISA',
};

test.each<
  [
    string,
    {
      readonly schema: Parameters<typeof toOlderShape>[0];
      readonly newest: object;
      readonly was: Record<(typeof SHAPES)[number], object>;
    },
  ]
>([
  [
    'item lines without a second name',
    {
      schema: PaymentIntent,
      newest: { id: 'pi', itemLines: [{ caption: 'Soup', name: 'Soup', amountTotal: gbp(1) }] },
      was: {
        '2022-04-07': { id: 'pi', itemLines: [{ caption: 'Soup', amountTotal: gbp(1) }] },
        '2024-02-05': { id: 'pi', itemLines: [{ caption: 'Soup', name: 'Soup', amountTotal: gbp(1) }] },
        '2025-09-10': { id: 'pi', itemLines: [{ caption: 'Soup', name: 'Soup', amountTotal: gbp(1) }] },
      },
    },
  ],
  [
    'the members of a card also beside the card',
    {
      schema: PaymentIntent,
      newest: { paymentDetails: { authCode: '1', card: CARD } },
      was: {
        '2022-04-07': {
          paymentDetails: {
            authCode: '1',
            card: CARD,
            cardNumber: '44565300****1014',
            cardName: 'A Guest',
            expiryDate: '2030-12-31',
            cardType: 'VISA',
          },
        },
        '2024-02-05': { paymentDetails: { authCode: '1', card: CARD } },
        '2025-09-10': { paymentDetails: { authCode: '1', card: CARD } },
      },
    },
  ],
  [
    'the members of the card of a setup also beside the card',
    {
      schema: SetupIntent,
      newest: { paymentDetails: { message: 'AUTHORISED', authCode: '1', card: CARD } },
      was: {
        '2022-04-07': {
          paymentDetails: {
            ...{ message: 'AUTHORISED', authCode: '1', card: CARD },
            ...{ cardNumber: '44565300****1014', cardName: 'A Guest', expiryDate: '2030-12-31', cardType: 'VISA' },
          },
        },
        '2024-02-05': { paymentDetails: { message: 'AUTHORISED', authCode: '1', card: CARD } },
        '2025-09-10': { paymentDetails: { message: 'AUTHORISED', authCode: '1', card: CARD } },
      },
    },
  ],
  [
    'the source of a keyed card',
    {
      schema: PaymentIntent,
      newest: { cardHolderNotPresent: true },
      was: {
        '2022-04-07': { cardHolderNotPresent: true, transactionSource: 'MOTO' },
        '2024-02-05': { cardHolderNotPresent: true },
        '2025-09-10': { cardHolderNotPresent: true },
      },
    },
  ],
  [
    'no source with a present cardholder',
    {
      schema: PaymentIntent,
      newest: { cardHolderNotPresent: false },
      was: {
        '2022-04-07': { cardHolderNotPresent: false },
        '2024-02-05': { cardHolderNotPresent: false },
        '2025-09-10': { cardHolderNotPresent: false },
      },
    },
  ],
  [
    'no saved cards',
    {
      schema: PublicPaymentIntent,
      newest: { paymentMethods: ['SavedCard', 'Card'] },
      was: {
        '2022-04-07': { paymentMethods: ['Card'] },
        '2024-02-05': { paymentMethods: ['SavedCard', 'Card'] },
        '2025-09-10': { paymentMethods: ['SavedCard', 'Card'] },
      },
    },
  ],
  [
    'Canceled as the only end of an authorised setup',
    {
      schema: SetupIntent,
      newest: { status: 'Closed', paymentMethods: ['Card', 'SavedCard'], paymentDetails: { authCode: '' } },
      was: {
        '2022-04-07': { status: 'Canceled', paymentMethods: ['Card'], paymentDetails: { authCode: '' } },
        '2024-02-05': { status: 'Closed', paymentMethods: ['Card', 'SavedCard'], paymentDetails: { authCode: '' } },
        '2025-09-10': { status: 'Closed', paymentMethods: ['Card', 'SavedCard'], paymentDetails: { authCode: '' } },
      },
    },
  ],
  [
    'older names of two notifications',
    {
      schema: TerminalSession,
      newest: {
        notificationEvents: ['CardError', 'ReEnterCard', 'EnterPin'].map((notificationType) => ({ notificationType })),
      },
      was: {
        '2022-04-07': {
          notificationEvents: ['CardUnsupported', 'InsertCard', 'EnterPin'].map((notificationType) => ({
            notificationType,
          })),
        },
        '2024-02-05': {
          notificationEvents: ['CardUnsupported', 'InsertCard', 'EnterPin'].map((notificationType) => ({
            notificationType,
          })),
        },
        '2025-09-10': {
          notificationEvents: ['CardError', 'ReEnterCard', 'EnterPin'].map((notificationType) => ({
            notificationType,
          })),
        },
      },
    },
  ],
])('an answer of an older release has %s', (_says, { schema, newest, was }) => {
  const before = JSON.stringify(newest);
  for (const release of SHAPES) expect(toOlderShape(schema, newest, release)).toEqual(was[release]);
  expect(toOlderShape(schema, newest, LATEST_RELEASE)).toBe(newest);
  expect(JSON.stringify(newest)).toBe(before);
});

test.each([
  ['a new payment', NewPaymentIntent, { amount: gbp(500), reference: 'a', itemLines: [{ caption: 'Soup' }] }],
  ['a change of its amount', NewAmount, { Amount: gbp(500), ItemLines: [{ Caption: 'Soup' }] }],
])('a line of %s may come without an amount before 2024-02-05, and counts as zero', (_says, schema, sent) => {
  for (const release of ['2022-04-07', '2023-12-12'] as const) {
    const reading = readBody(schema, sent, release);
    expect(reading).toMatchObject({ ok: true, value: { itemLines: [{ caption: 'Soup', amountTotal: gbp(0) }] } });
  }
  for (const release of ['2024-02-05', LATEST_RELEASE] as const) {
    expect(readBody(schema, sent, release)).toEqual({
      ok: false,
      errors: { 'itemLines[0].amountTotal': [expect.any(String)] },
    });
  }
});

test.each([
  ['2023-12-12', 'Unscheduled', ['merchantInitiatedTransactionType']],
  ['2023-12-12', 'unscheduled', ['merchantInitiatedTransactionType']],
  ['2023-12-12', 'NoShow', []],
  ['2024-02-05', 'Unscheduled', []],
] as const)('under %s a card may be stored for %s, or the member is refused by name', (release, kind, members) => {
  const sent = { reference: 'r', merchantInitiatedTransactionType: kind, terms: 't' };
  const reading = readBody(NewSetupIntent, sent, release);
  expect(reading.ok ? [] : Object.keys(reading.errors)).toEqual(members);
});

test('releases are in the order of their dates, and changes newest first', () => {
  expect([...RELEASES].sort()).toEqual(RELEASES);
  const dates = VERSION_CHANGES.map(({ since }) => since);
  expect([...dates].sort().reverse()).toEqual(dates);
});

const getDocument = (release: Release) =>
  openApiDocument([...HEALTH_OPERATIONS, ...API_OPERATIONS], API_TITLE, release);

test.each([...SHAPES, LATEST_RELEASE])('%s describes an operation alone as in the whole document', (release) => {
  const whole = getDocument(release) as unknown as Described;
  for (const operation of API_OPERATIONS) {
    const { paths, components } = openApiDocument(
      [operation],
      { ...API_TITLE, webhooks: [] },
      release,
    ) as unknown as Described;
    const method = operation.method.toLowerCase();
    expect(paths[operation.path]?.[method]).toEqual(whole.paths[operation.path]?.[method]);
    expect(whole.components.schemas).toMatchObject(components.schemas);
  }
});

interface Described {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

test('every change names shapes of the document', () => {
  const { components } = getDocument(LATEST_RELEASE) as { components: { schemas: Record<string, unknown> } };
  for (const { writes, reads, schemas } of VERSION_CHANGES) {
    for (const name of Object.keys({ ...writes, ...reads, ...schemas }))
      expect(Object.keys(components.schemas)).toContain(name);
  }
});

function withoutExamples(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'examples' ? undefined : value)));
}

describe('the document of an older release', () => {
  // The other releases changed no shape.
  test.each(RELEASES.filter((release) => !SHAPES.some((shape) => shape === release)))(
    '%s is that of its neighbour',
    (release) => {
      const neighbour = SHAPES.findLast((shape) => shape < release)!;
      expect(changesAfter(release)).toEqual(changesAfter(neighbour));
    },
  );

  // A golden file contains only the differences from the newest document, so a change is reviewed once.
  test.each(SHAPES)('%s differs from the newest one as in its golden file; UPDATE_GOLDEN=1 rewrites it', (release) => {
    const golden = new URL(`../../openapi/api.${release}.json`, import.meta.url);
    const older = getDocument(release) as unknown as Older;
    const newest = getDocument(LATEST_RELEASE) as unknown as Older;
    const names = Object.keys(newest.components.schemas);
    const differing = names.filter(
      (name) => JSON.stringify(older.components.schemas[name]) !== JSON.stringify(newest.components.schemas[name]),
    );
    const differences = Object.fromEntries(differing.map((name) => [name, older.components.schemas[name]]));
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(differences, null, 2)}\n`);
    expect(differences).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
    // Examples are in the form of their release.
    expect(withoutExamples({ ...older, info: newest.info, components: newest.components })).toEqual(
      withoutExamples(newest),
    );
    expect(older.info).toEqual({ ...newest.info, version: release });
  });
});

interface Older {
  readonly info: object;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}
