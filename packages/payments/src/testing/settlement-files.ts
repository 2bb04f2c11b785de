import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { DAY_MS, toZonedDay, UTC } from '@pos/core/time';
import { defineStatement } from '@pos/postgres/statements';
import { listDifferences, listUncomparedDays, lockReconciliation } from '@pos/store/reconciliation';
import { storeDeclaration } from '@pos/store/repositories';
import type { SettlementFormat } from '../reconciliation/settlement-file-parser.js';
import { importSettlementFile, type SettlementImport } from '../reconciliation/settlement-import.js';
import { TestCardMachine } from './card-machine.js';
import { MoneyOperations } from './money-operations.js';
import { createIntent, type TestAccount, type TestEnvironment } from './test-environment.js';

/** The header of a settlement file. */
export const SETTLEMENT_HEADER = 'reference,kind,amount,currency,booked_on,batch,fee';

/** Pieces of any size: a line may begin in one and end in another. */
async function* splitText(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What a test imports. */
export interface TestFile {
  readonly text: string | Uint8Array;
  readonly format?: SettlementFormat;
  readonly acquirer?: string;
  readonly name?: string;
  readonly pieceSize?: number;
}

/** Stores the declaration of an acquirer of the sandbox, as a process does. */
export function declareAcquirer({ database }: TestEnvironment, name = 'default'): Promise<void> {
  return storeDeclaration(database, {
    ...{ environment: 'sandbox', name },
    // An acquirer with settlement files has no list.
    capabilities: { ...COMPLETE_CAPABILITIES, can: { ...COMPLETE_CAPABILITIES.can, booked_list: false } },
  });
}

/** Imports a file with this text. */
export function importFile(
  { database }: Pick<TestEnvironment, 'database'>,
  { scope }: Pick<TestAccount, 'scope'>,
  { text, format = 'csv', acquirer = 'default', name = 'today.csv', pieceSize = 7 }: TestFile,
): Promise<SettlementImport> {
  return importSettlementFile({ database }, scope, {
    name,
    acquirer,
    format,
    content: splitText(text, pieceSize),
  });
}

/** Takes a payment of £20 with a capture of its own. */
export async function createCapturedPayment(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
): Promise<{ readonly intentId: string; readonly reference: string }> {
  const intentId = await createIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.approvePayment();
  await new MoneyOperations(testEnvironment, testAccount).capture(intentId, 2_000);
  const [row] = await testEnvironment.database.read(testAccount.scope, (reader) =>
    reader.query<{ reference: string }>(CAPTURE, [testAccount.scope.accountId, intentId]),
  );
  return { intentId, reference: row?.reference ?? '' };
}

const CAPTURE = defineStatement(
  'test_capture',
  `select reference from acquirer_calls where account_id = $1 and intent_id = $2 and kind = 'Capture'`,
);
const MOVE_BACK = defineStatement(
  'test_move_calls_back',
  `update acquirer_calls set created_at = created_at - $2 * interval '1 day'
     + (12 - extract(hour from created_at at time zone 'UTC')) * interval '1 hour'
   where account_id = $1 returning reference`,
);
const MOVE_WAITS_BACK = defineStatement(
  'test_move_waits_back',
  `update uncompared_days set since = since - $2 * interval '1 day' where account_id = $1 returning day`,
);

/**
 * Moves all calls of the account into the past, in both books, and the begin of its waits for a comparison. The calls
 * move to noon: a comparison also reads the last minutes of the day before, at which a test may run.
 */
export async function moveCallsBack(
  { database, acquirerServer }: TestEnvironment,
  { scope, merchantId }: TestAccount,
  days: number,
): Promise<void> {
  const { books } = acquirerServer.acquirer;
  for (const call of books.listCalls().filter((each) => each.merchantId === merchantId)) {
    const bookedAt = new Date(Date.parse(call.bookedAt) - days * DAY_MS);
    bookedAt.setUTCHours(12);
    books.recordCall({ ...call, bookedAt: bookedAt.toISOString() });
  }
  await database.transact(scope, async (tx) => {
    await tx.query(MOVE_BACK, [scope.accountId, days]);
    await tx.query(MOVE_WAITS_BACK, [scope.accountId, days]);
  });
}

/** The day (UTC) some days from now, `yyyy-mm-dd`. */
export function getDayFromNow(days: number): string {
  return toZonedDay(new Date(Date.now() + days * DAY_MS), UTC);
}

/** The open differences of the account: kind and reference. */
export async function listOpenDifferenceNames(
  { database }: TestEnvironment,
  { scope }: TestAccount,
): Promise<string[]> {
  const query = { state: 'Open', limit: 100, cursor: null, direction: 'older' } as const;
  const { elements } = await database.read(scope, (reader) => listDifferences(reader, query));
  return elements.map(({ kind, reference }) => `${kind} ${reference}`).toSorted();
}

/** The days of the account whose comparison is incomplete: day, acquirer and reason. */
export async function listIncompleteDays({ database }: TestEnvironment, { scope }: TestAccount): Promise<string[]> {
  const days = await database.read(scope, listUncomparedDays);
  return days.map(({ day, acquirer, reason }) => `${day} ${acquirer} ${reason}`);
}

/** Holds the lock of the checks of an account, as an import does, until the function that it returns is called. */
export async function holdReconciliationLock(
  { database }: TestEnvironment,
  { scope }: TestAccount,
): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    holding = database.transact(scope, async (tx) => {
      await lockReconciliation(tx);
      const released = new Promise<void>((end) => {
        release = end;
      });
      resolve();
      await released;
    });
    holding.catch(reject);
  });
  return () => {
    release();
    return holding;
  };
}
