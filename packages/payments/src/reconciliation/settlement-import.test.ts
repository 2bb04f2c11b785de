import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { overrideMembers } from '../testing/object-override.js';
import {
  createCapturedPayment,
  getDayFromNow,
  declareAcquirer,
  holdReconciliationLock,
  importFile,
  listOpenDifferenceNames,
  SETTLEMENT_HEADER as HEADER,
  type TestFile,
} from '../testing/settlement-files.js';
import {
  createTestAccount,
  createTestEnvironment,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';
import type { SettlementFormat } from './settlement-file-parser.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  await declareAcquirer(testEnvironment);
});
afterAll(() => testEnvironment.close());

function importText(
  testAccount: Pick<TestAccount, 'scope'>,
  text: string | Uint8Array,
  more: Omit<TestFile, 'text'> = {},
) {
  return importFile(testEnvironment, testAccount, { text, ...more });
}

const createCaptured = (testAccount: TestAccount) => createCapturedPayment(testEnvironment, testAccount);
const openDifferences = (testAccount: TestAccount) => listOpenDifferenceNames(testEnvironment, testAccount);

const SETTLED = defineStatement(
  'test_settled',
  `select settled_on::text as day from transactions where account_id = $1 and acquirer_reference = $2`,
);

async function settledDayOf({ scope }: TestAccount, reference: string): Promise<string | null> {
  const [row] = await testEnvironment.database.read(scope, (reader) =>
    reader.query<{ day: string | null }>(SETTLED, [scope.accountId, reference]),
  );
  return row?.day ?? null;
}

test.each<[SettlementFormat, (reference: string) => string]>([
  ['csv', (reference) => `\u{feff}${HEADER}\r\n"${reference}",capture,2000,GBP,2025-03-02,B1,14\r\n\r\n`],
  ['csv', (reference) => `batch,booked_on,currency,amount,kind,reference\nB1,2025-03-02,GBP,2000,capture,${reference}`],
  [
    'jsonl',
    (reference) =>
      `{"reference":"${reference}","kind":"capture","amount":2000,"currency":"GBP","booked_on":"2025-03-02","batch":"B1","fee":null}\n`,
  ],
])('a file (%s) settles its transactions, once', async (format, write) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const first = await importText(testAccount, write(reference), { format });
  expect(first).toMatchObject({
    ...{ isRepeat: false, lineCount: 1, firstDay: '2025-03-02', lastDay: '2025-03-02', differences: [] },
    batches: [{ batch: 'B1', lineCount: 1, isKnown: false }],
  });
  expect(await settledDayOf(testAccount, reference)).toBe('2025-03-02');
  const again = await importText(testAccount, write(reference), { format, pieceSize: 1_000 });
  expect(again).toMatchObject({ isRepeat: true, hash: first.hash, batches: [{ isKnown: true }], differences: [] });
});

test('every line that disagrees with our books is a difference, until a later file corrects it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const other = await createCaptured(testAccount);
  const text = [
    HEADER,
    `${reference},capture,2001,GBP,2025-03-02,B1,`,
    `${other.reference},refund,2000,GBP,2025-03-02,B1,`,
    'not-ours,capture,500,EUR,2025-03-03,B2,0',
  ].join('\n');
  const { differences } = await importText(testAccount, text);
  expect(differences.map(({ kind, reference: of }) => `${kind} ${of}`).toSorted()).toEqual(
    [`NotAskedFor not-ours`, `SettledAmount ${reference}`, `OtherKind ${other.reference}`].toSorted(),
  );
  expect(differences.find(({ kind }) => kind === 'SettledAmount')).toMatchObject({
    ...{ ours: 'Capture of 2000 GBP', theirs: 'Capture of 2001 GBP in one line', acquirer: 'default' },
    says: 'the acquirer settled 2001 GBP in one line, we asked for 2000 GBP',
  });
  expect(await openDifferences(testAccount)).toHaveLength(3);
  await importText(testAccount, `${HEADER}\n${other.reference},capture,2000,GBP,2025-03-04,B3,`);
  expect(await openDifferences(testAccount)).toEqual([`NotAskedFor not-ours`, `SettledAmount ${reference}`]);
});

const lineOfCapture = (reference: string, amount: number, batch: string, currency = 'GBP') =>
  `${reference},capture,${amount},${currency},2025-03-02,${batch},`;

test('a capture that is settled in parts agrees when the parts sum to it', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const first = await importText(testAccount, `${HEADER}\n${lineOfCapture(reference, 1_500, 'B1')}`);
  expect(first.differences).toEqual([]);
  const second = await importText(testAccount, `${HEADER}\n${lineOfCapture(reference, 500, 'B2')}`);
  expect(second.differences).toEqual([]);
});

test.each([
  ['twice', 2_000, 'GBP', 'Capture of 4000 GBP in 2 lines'],
  ['in parts that sum to more', 1, 'GBP', 'Capture of 2001 GBP in 2 lines'],
  ['also in another currency', 500, 'EUR', 'Capture of 500 EUR and 2000 GBP in 2 lines'],
])('a capture that is settled %s is a difference with both amounts', async (_, amount, currency, theirs) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  await importText(testAccount, `${HEADER}\n${lineOfCapture(reference, 2_000, 'B1')}`);
  const { differences } = await importText(
    testAccount,
    `${HEADER}\n${lineOfCapture(reference, amount, 'B2', currency)}`,
  );
  expect(differences).toMatchObject([{ kind: 'SettledAmount', ours: 'Capture of 2000 GBP', theirs }]);
  expect(await openDifferences(testAccount)).toEqual([`SettledAmount ${reference}`]);
});

test.each([
  ['first', (right: string, wrong: string, rest: string[]) => [wrong, ...rest, right]],
  ['last', (right: string, wrong: string, rest: string[]) => [right, ...rest, wrong]],
])('of two contradicting lines of a file the wrong one stays a difference where it is %s', async (_, order) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const right = lineOfCapture(reference, 2_000, 'B1');
  const wrong = `${reference},refund,2000,GBP,2025-03-02,B1,`;
  // More lines than are compared in one step.
  const rest = Array.from({ length: 600 }, (__, index) => lineOfCapture(`unknown-${index}`, 1, 'B1'));
  await importText(testAccount, [HEADER, ...order(right, wrong, rest)].join('\n'), { pieceSize: 4_096 });
  const kinds = await testEnvironment.database.read(testAccount.scope, (reader) =>
    reader.query<{ kind: string }>(OPEN_KINDS, [testAccount.scope.accountId, reference]),
  );
  expect(kinds).toEqual([{ kind: 'OtherKind' }]);
  await importText(testAccount, `${HEADER}\nunrelated,capture,1,GBP,2025-03-03,B2,`);
  expect(
    await testEnvironment.database.read(testAccount.scope, (reader) =>
      reader.query<{ kind: string }>(OPEN_KINDS, [testAccount.scope.accountId, reference]),
    ),
  ).toEqual([{ kind: 'OtherKind' }]);
});

const OPEN_KINDS = defineStatement(
  'test_open_kinds',
  `select kind from reconciliation_differences where account_id = $1 and reference = $2 and state = 'Open'`,
);

test.each([
  ['first', [4, 3]],
  ['last', [3, 4]],
])('a capture is settled on the last day of its parts, where that line is %s', async (_, days) => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const lines = days.map((day, index) => `${reference},capture,1000,GBP,2025-03-0${day},B${index},`);
  await importText(testAccount, [HEADER, ...lines].join('\n'));
  expect(await settledDayOf(testAccount, reference)).toBe('2025-03-04');
});

test('a line of another kind or acquirer than the call settles no transaction', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  await declareAcquirer(testEnvironment, 'south');
  await importText(testAccount, `${HEADER}\n${reference},refund,2000,GBP,2025-03-02,B1,`);
  await importText(testAccount, `${HEADER}\n${reference},capture,2000,GBP,2025-03-02,B1,`, { acquirer: 'south' });
  expect(await settledDayOf(testAccount, reference)).toBeNull();
});

test('of two imports of a file at once one stores it, and the other one is the repeat', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const text = `${HEADER}\n${lineOfCapture(reference, 2_500, 'B1')}`;
  const imports = await Promise.all([1, 2, 3, 4].map(() => importText(testAccount, text)));
  expect(imports.map(({ isRepeat }) => isRepeat).toSorted()).toEqual([false, true, true, true]);
  expect(imports.filter(({ differences }) => differences.length > 0)).toHaveLength(1);
  expect(await openDifferences(testAccount)).toEqual([`SettledAmount ${reference}`]);
});

test('an import waits for the lock of another one for as long as its database says', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const impatient = await testEnvironment.testDatabase.open({ lockTimeoutMs: 100 });
  const file = { text: `${HEADER}\n${GOOD}` };
  const release = await holdReconciliationLock(testEnvironment, testAccount);
  await expect(importFile({ database: impatient }, testAccount, file)).rejects.toMatchObject({
    code: 'service_unavailable',
    detail: expect.stringContaining('is being imported'),
  });
  const waiting = importFile(testEnvironment, testAccount, file);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await release();
  expect(await waiting).toMatchObject({ isRepeat: false });
});

test('the lines of all batches that are stored already are read at once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const names: string[] = [];
  const { database } = testEnvironment;
  const transact: Database['transact'] = (scope, work) =>
    database.transact(scope, (tx) => {
      const query: Tx['query'] = (statement, values) => {
        names.push(statement.name);
        return tx.query(statement, values);
      };
      return work(overrideMembers(tx, { query }));
    });
  const text = [HEADER, ...['B1', 'B2', 'B3'].map((batch) => lineOf({ batch }))].join('\n');
  for (const isRepeat of [false, true]) {
    names.length = 0;
    const imported = await importFile({ database: overrideMembers(database, { transact }) }, testAccount, { text });
    expect(imported).toMatchObject({ isRepeat });
    expect(names.filter((name) => name.startsWith('list_batch_lines'))).toHaveLength(1);
  }
});

test('of two files with one batch and other lines at once one is stored, and the other one is refused', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const { reference } = await createCaptured(testAccount);
  const texts = [2_000, 2_001].map((amount) => `${HEADER}\n${lineOfCapture(reference, amount, 'B1')}`);
  const results = await Promise.allSettled(texts.map((text) => importText(testAccount, text)));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { members: { 'batch B1': ['was imported before with other lines: ask the acquirer which is right'] } },
  });
});

test('a line of the future refuses the file and is named', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const day = getDayFromNow(2);
  const text = `${HEADER}\n${GOOD}\nr2,capture,2000,GBP,${day},B1,`;
  await expect(importText(testAccount, text)).rejects.toMatchObject({
    members: { 'line 3, booked_on': [`${day} is in the future`] },
  });
});

test('a batch that another file brings again must have the same lines; otherwise nothing of the file is stored', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const [one, two] = [await createCaptured(testAccount), await createCaptured(testAccount)];
  const line = (reference: string, batch: string, day = '2025-03-02') =>
    `${reference},capture,2000,GBP,${day},${batch},`;
  await importText(testAccount, `${HEADER}\n${line(one.reference, 'B1')}`);
  const both = `${HEADER}\n${line(two.reference, 'B2', '2025-03-03')}\n${line(one.reference, 'B1')}`;
  expect((await importText(testAccount, both)).batches).toEqual([
    { batch: 'B2', lineCount: 1, isKnown: false },
    { batch: 'B1', lineCount: 1, isKnown: true },
  ]);
  const changed = `${HEADER}\n${line(two.reference, 'B9', '2025-03-09')}\n${line(one.reference, 'B1', '2025-03-08')}`;
  await expect(importText(testAccount, changed)).rejects.toMatchObject({
    code: 'validation_failed',
    members: { 'batch B1': ['was imported before with other lines: ask the acquirer which is right'] },
  });
  expect(await settledDayOf(testAccount, two.reference)).toBe('2025-03-03');
});

const GOOD = 'r1,capture,2000,GBP,2025-03-02,B1,14';
const lineOf = (change: Partial<Record<string, string>>): string => {
  const values = {
    reference: 'r1',
    kind: 'capture',
    amount: '2000',
    currency: 'GBP',
    booked_on: '2025-03-02',
    batch: 'B1',
    fee: '14',
  };
  return Object.values({ ...values, ...change }).join(',');
};

describe('a file is refused by the line and the column', () => {
  test.each<[string, string | Uint8Array, SettlementFormat, string]>([
    ['nothing', '', 'csv', 'file: has no line'],
    ['a header alone', HEADER, 'csv', 'file: has no line'],
    ['no header', GOOD, 'csv', 'line 1, column 1: is none of reference, kind'],
    ['a missing column', 'reference,kind,amount,currency,batch\n', 'csv', 'line 1, booked_on: is missing'],
    ['a column twice', `${HEADER},fee\n`, 'csv', 'line 1, fee: is named twice'],
    ['an unknown column', `${HEADER},card_number\n`, 'csv', 'line 1, column 8: is none of'],
    ['a value too few', `${HEADER}\nr1,capture,2000`, 'csv', 'line 2: has 3 values, and the header 7'],
    ['a value too many', `${HEADER}\n${GOOD},1`, 'csv', 'line 2: has 8 values, and the header 7'],
    [
      'an open quotation mark',
      `${HEADER}\n"r1,capture,2000,GBP,2025-03-02,B1,1`,
      'csv',
      'line 2: has a quotation mark',
    ],
    ['an empty reference', `${HEADER}\n${lineOf({ reference: '' })}`, 'csv', 'line 2, reference: is empty'],
    [
      'a long reference',
      `${HEADER}\n${lineOf({ reference: 'r'.repeat(65) })}`,
      'csv',
      'line 2, reference: is not 1 to 64',
    ],
    [
      'another kind',
      `${HEADER}\n${lineOf({ kind: 'chargeback' })}`,
      'csv',
      'line 2, kind: is none of capture, refund, reversal',
    ],
    ['an inherited kind', `${HEADER}\n${lineOf({ kind: 'constructor' })}`, 'csv', 'line 2, kind: is none of'],
    [
      'pounds',
      `${HEADER}\n${lineOf({ amount: '20.00' })}`,
      'csv',
      'line 2, amount: is not a whole number of minor units',
    ],
    ['less than nothing', `${HEADER}\n${lineOf({ amount: '-1' })}`, 'csv', 'line 2, amount: is not a whole number'],
    [
      'too much',
      `${HEADER}\n${lineOf({ amount: '9007199254740993' })}`,
      'csv',
      'line 2, amount: is not a whole number',
    ],
    [
      'another currency',
      `${HEADER}\n${lineOf({ currency: 'gbp' })}`,
      'csv',
      'line 2, currency: is no code of ISO 4217',
    ],
    ['no day', `${HEADER}\n${lineOf({ booked_on: '2025-02-30' })}`, 'csv', 'line 2, booked_on: is no day, yyyy-mm-dd'],
    [
      'another order of days',
      `${HEADER}\n${lineOf({ booked_on: '02/03/2025' })}`,
      'csv',
      'line 2, booked_on: is no day',
    ],
    ['no batch', `${HEADER}\n${lineOf({ batch: '' })}`, 'csv', 'line 2, batch: is empty'],
    ['a bad fee', `${HEADER}\n${lineOf({ fee: '0.14' })}`, 'csv', 'line 2, fee: is not a whole number of minor units'],
    ['a line twice', `${HEADER}\n${GOOD}\n${GOOD}`, 'csv', 'line 3, reference: is in the batch twice'],
    ['a long line', `${HEADER}\n${'x'.repeat(5_000)}`, 'csv', 'line 2: is longer than 4096 bytes'],
    [
      'other bytes',
      Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0xff, 0xfe])]),
      'csv',
      'line 2: is not UTF-8',
    ],
    ['no JSON', '{"reference":', 'jsonl', 'line 1: is not a JSON object'],
    ['a list', '[]', 'jsonl', 'line 1: is not a JSON object'],
    ['an unknown member', '{"referense":"r1"}', 'jsonl', 'line 1, referense: is none of'],
    ['an object in a member', '{"reference":{}}', 'jsonl', 'line 1, reference: is neither a text nor a number'],
  ])('%s', async (_, text, format, problem) => {
    const refused = await importText(NOBODY, text, { format }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(Refusal);
    const { members } = refused as Refusal;
    const places = Object.entries(members).map(([place, [message]]) => `${place}: ${message}`);
    expect(places.some((place) => place.startsWith(problem))).toBe(true);
  });

  test('no more than twenty problems, and an unknown acquirer before all of them', async () => {
    const text = [HEADER, ...Array.from({ length: 100 }, () => 'x')].join('\n');
    const { members } = await importText(NOBODY, text).then(
      () => new Refusal('validation_failed', ''),
      (error: unknown) => error as Refusal,
    );
    expect(Object.keys(members)).toHaveLength(20);
    await expect(importText(NOBODY, text, { acquirer: 'nroth' })).rejects.toMatchObject({
      members: { acquirer: ['names nroth, which has never answered a process of sandbox: only default, south'] },
    });
    await expect(importText(NOBODY, text, { name: '' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

test('the name "default" is refused like any other where the environment has no such acquirer', async () => {
  const production = { scope: { accountId: 'acc_none', environment: 'production' } } as const;
  await expect(importText(production, `${HEADER}\n${GOOD}`)).rejects.toMatchObject({
    members: { acquirer: ['names default, which has never answered a process of production: none has'] },
  });
});

/** A file that is refused is never compared with an account. */
const NOBODY = { scope: { accountId: 'acc_none', environment: 'sandbox' } } as const;
