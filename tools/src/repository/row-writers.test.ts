import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { findOtherImporters, listIntentRowWriters, type RowWriter } from './row-writers.js';
import { readTree } from './source-tree.js';

const tree = readTree(REPOSITORY);
const isProduct = ({ file }: { readonly file: string }): boolean =>
  /^(packages|apps)\//.test(file) && !/\/testing\/|\.test\.ts$/.test(file);

const PAYMENTS = 'packages/payments/src';
/** Nothing else stores a change, also no test: it would store one that no use case can. */
const OF_STORED_INTENTS: readonly RowWriter[] = [
  { name: 'writeIntentRow', onlyIn: `${PAYMENTS}/payment-intents/intent-commit.ts` },
];
/** Tests and the cases of documented examples may write rows as they need them. */
const OF_THE_PRODUCT: readonly RowWriter[] = [
  { name: 'insertIntent', onlyIn: `${PAYMENTS}/payment-intents/intent-commit.ts` },
  { name: 'insertSetupIntent', onlyIn: `${PAYMENTS}/setup-intents/setup-intents.ts` },
  { name: 'updateSetupIntent', onlyIn: `${PAYMENTS}/setup-intents/setup-intent-commit.ts` },
  { name: 'insertTerminalSession', onlyIn: `${PAYMENTS}/terminals/terminal-sessions.ts` },
  { name: 'updateTerminalSession', onlyIn: `${PAYMENTS}/terminals/session-commit.ts` },
  { name: 'appendSessionEntries', onlyIn: `${PAYMENTS}/terminals/session-commit.ts` },
  { name: 'updateAcquirerCall', onlyIn: `${PAYMENTS}/alarms/call-update.ts` },
  { name: 'insertOrderPlacement', onlyIn: `${PAYMENTS}/orders/order-placements.ts` },
  { name: 'updateOrderPlacement', onlyIn: `${PAYMENTS}/orders/order-placements.ts` },
  { name: 'insertJourney', onlyIn: `${PAYMENTS}/tables/journeys.ts` },
  { name: 'updateJourney', onlyIn: `${PAYMENTS}/tables/journey-commit.ts` },
  { name: 'markOrderChanged', onlyIn: `${PAYMENTS}/orders/order-changes.ts` },
  { name: 'markBillRead', onlyIn: `${PAYMENTS}/orders/order-changes.ts` },
  { name: 'insertTablePayment', onlyIn: `${PAYMENTS}/tables/table-payments.ts` },
  { name: 'updateTablePayment', onlyIn: `${PAYMENTS}/tables/table-payment-commit.ts` },
  { name: 'updateLease', onlyIn: `${PAYMENTS}/tables/leases.ts` },
  { name: 'updateLeaseUnlessChanged', onlyIn: `${PAYMENTS}/tables/leases.ts` },
];

test('each row of an aggregate is written by one file', () => {
  expect(findOtherImporters(tree, OF_STORED_INTENTS)).toEqual([]);
  expect(findOtherImporters(tree.filter(isProduct), OF_THE_PRODUCT)).toEqual([]);
  expect(listIntentRowWriters(tree.filter(isProduct))).toEqual(['packages/store/src/payments/payment-intents.ts']);
});

test('each row writer is imported by the file that may import it', () => {
  const writers = [...OF_STORED_INTENTS, ...OF_THE_PRODUCT];
  const anywhereElse = writers.map(({ name }) => ({ name, onlyIn: '' }));
  const found = findOtherImporters(tree.filter(isProduct), anywhereElse);
  expect(found.sort()).toEqual(writers.map(({ name, onlyIn }) => `${onlyIn}: ${name}`).sort());
});

const WRITER: RowWriter = { name: 'writeBillRow', onlyIn: `${PAYMENTS}/bills/bill-change.ts` };

// oxfmt-ignore
test.each([
  ['packages/payments/src/bills/bills.ts', "import { writeBillRow } from '@pos/store/bills';", 1],
  ['packages/payments/src/bills/bills.ts', "import { writeBillRow as write } from '@pos/store/bills';", 1],
  ['packages/payments/src/bills/bills.ts', "export { writeBillRow } from '@pos/store/bills';", 1],
  ['apps/api/src/bills.test.ts', "import { findBill, writeBillRow } from '@pos/store/bills';", 1],
  ['apps/api/src/bills.ts', "import { findBill } from '@pos/store/bills'; // not writeBillRow", 0],
  ['packages/store/src/bills.test.ts', "import { writeBillRow } from './bills.js';", 0],
  [WRITER.onlyIn, "import { writeBillRow } from '@pos/store/bills';", 0],
])('%s may not import a row writer: %s', (file, text, count) => {
  expect(findOtherImporters([{ file, text }], [WRITER])).toHaveLength(count);
});

// oxfmt-ignore
test.each([
  ['update payment_intents set status = $1', 1],
  ['insert into payment_intents (id) values ($1)', 1],
  ["sql.update('payment_intents')`set status = ${3}`", 1],
  ['updateVersion(tx, paymentIntents, {})', 1],
  ['select status from payment_intents', 0],
  ['update payment_intents_seen set status = $1', 0],
])('a file with “%s” is counted as a writer of intents: %s', (text, count) => {
  expect(listIntentRowWriters([{ file: 'packages/store/src/bills.ts', text }])).toHaveLength(count);
});
