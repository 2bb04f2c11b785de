import type { Scope } from '@pos/core/identity';
import { computeBalances } from '@pos/core/ledger';
import { AccountCache, createCompleteDirectory } from '@pos/payments/accounts';
import { AcquirerClient } from '@pos/payments/acquirer';
import { compareWithAcquirers } from '@pos/payments/reconciliation';
import type { Client } from '@pos/rest-contracts/client';
import {
  listAcquirerBookings,
  listEposLocks,
  listEposOrders,
  listEposPayments,
  listEposSessions,
} from '@pos/rest-contracts/sandbox';
import type { Database, SnapshotReader } from '@pos/store/database';
import { verifyIntentChain } from '@pos/store/reconciliation';
import { listLedgerEntries } from '@pos/store/ledger';
import { type OrderPlacementRow, orderPlacements } from '@pos/store/tables';
import {
  findRows,
  type PaymentIntentRow,
  paymentIntents,
  type TablePaymentRow,
  tablePayments,
  type TerminalSessionRow,
  terminalSessions,
} from '@pos/store/relations';

/** The account to compare, and the locations of its three sets of books. */
export interface LedgerSources {
  readonly database: Database;
  /** The control port of the outside world. */
  readonly sandbox: Client;
  readonly acquirerAddress: string;
  readonly scope: Scope;
  readonly merchantId: string;
}

type Booking = Awaited<ReturnType<typeof listBookings>>[number];
type EposRecords = Awaited<ReturnType<typeof getEposBooks>>;
type EposPayment = EposRecords['payments'][number];

/** The records of our own database. */
interface OwnRecords {
  readonly payments: readonly TablePaymentRow[];
  readonly sessions: readonly TerminalSessionRow[];
  readonly intents: readonly (PaymentIntentRow & { readonly ledger: number })[];
  readonly placements: readonly OrderPlacementRow[];
  readonly brokenChains: readonly string[];
}

/**
 * Compares the acquirer's books, the EPOS's and ours, payment by payment and in total, and describes the differences.
 * Empty when each payment is either recorded or returned, to the penny.
 */
export async function findRecordMismatches(keepers: LedgerSources): Promise<string[]> {
  const { database, scope } = keepers;
  const ours = await database.readSnapshot(scope, readOwnRecords);
  const bookings = await listBookings(keepers);
  const epos = await getEposBooks(keepers);
  const getHeld = (intentId: string): number =>
    sumAmounts(
      ours.sessions.filter(({ intent_id: id }) => id === intentId).map((session) => computeHeld(bookings, session)),
    );
  return [
    ...ours.brokenChains,
    ...(await findAcquirerMismatches(keepers)),
    ...ours.payments.flatMap((payment) =>
      findPaymentMismatches(payment, { epos: epos.payments, heldOf: getHeld, bookings }),
    ),
    ...ours.intents.flatMap((intent) => findIntentMismatches(intent, getHeld(intent.id))),
    ...ours.placements.flatMap((placement) => findPlacementMismatches(placement, epos, getHeld(placement.intent_id))),
    ...findEposMismatches(epos, ours),
    ...findTotalMismatches(ours, bookings, epos),
  ];
}

/** The sessions that are still locked at the EPOS. */
export async function listLocksAtEpos({ sandbox, scope }: LedgerSources): Promise<string[]> {
  const { locks } = await sandbox(listEposLocks, { params: { accountId: scope.accountId } });
  return locks.map(({ sessionId }) => sessionId);
}

/** How often the EPOS has recorded a payment id, and with which total. */
export async function listRecordedAtEpos(keepers: LedgerSources, paymentId: string): Promise<readonly EposPayment[]> {
  const { payments } = await getEposBooks(keepers);
  return payments.filter((payment) => payment.paymentId === paymentId);
}

/** What is left of a payment at the acquirer, in minor units. */
export async function listHeldAtAcquirer(keepers: LedgerSources, intentId: string): Promise<number> {
  const sessions = await keepers.database.read(keepers.scope, (reader) =>
    findRows(reader, terminalSessions, { where: { intent_id: intentId as `pi_${string}` } }),
  );
  const bookings = await listBookings(keepers);
  return sumAmounts(sessions.map((session) => computeHeld(bookings, session)));
}

/** The transaction ids of the card payments of an intent that the acquirer has booked. */
export async function listTransactionsAtAcquirer(keepers: LedgerSources, intentId: string): Promise<string[]> {
  const sessions = await keepers.database.read(keepers.scope, (reader) =>
    findRows(reader, terminalSessions, { where: { intent_id: intentId as `pi_${string}` } }),
  );
  const references = new Set(sessions.map(({ acquirer_reference: reference }) => reference));
  const taken = (await listBookings(keepers)).filter(({ kind, status }) => kind === 'Authorise' && status === 'Booked');
  return taken.filter(({ reference }) => references.has(reference)).map(({ transactionId }) => transactionId);
}

async function readOwnRecords(reader: SnapshotReader): Promise<OwnRecords> {
  const payments = await findRows(reader, tablePayments, { where: {} });
  const sessions = await findRows(reader, terminalSessions, { where: {} });
  const rows = await findRows(reader, paymentIntents, { where: {} });
  const intents: (PaymentIntentRow & { ledger: number })[] = [];
  const brokenChains: string[] = [];
  for (const row of rows) {
    const { card_hold, card_receivable } = computeBalances(await listLedgerEntries(reader, row.id));
    intents.push({ ...row, ledger: card_hold + card_receivable });
    brokenChains.push(...(await verifyIntentChain(reader, row.id)).map((fault) => `${row.id}: ${fault}`));
  }
  const placements = await findRows(reader, orderPlacements, { where: {} });
  return { payments, sessions, intents, placements, brokenChains };
}

async function listBookings({ sandbox, merchantId }: LedgerSources) {
  return (await sandbox(listAcquirerBookings, { query: { merchantId } })).bookings;
}

async function getEposBooks({ sandbox, scope }: LedgerSources) {
  const params = { accountId: scope.accountId };
  const { payments, orderPayments } = await sandbox(listEposPayments, { params });
  const { sessions } = await sandbox(listEposSessions, { params });
  const { orders } = await sandbox(listEposOrders, { params });
  const given = new Set(orders.filter(({ status }) => status === 'Canceled').map(({ id }) => id));
  // The payment of a cancelled order was returned with it.
  return { payments, sessions, orderPayments: orderPayments.filter(({ orderId }) => !given.has(orderId)) };
}

/** The money at the acquirer under a session's reference: captured, and not returned. */
function computeHeld(bookings: readonly Booking[], { acquirer_reference: reference }: TerminalSessionRow): number {
  const standing = bookings.filter(({ status }) => status === 'Booked');
  const taken = standing.filter((booking) => booking.kind === 'Authorise' && booking.reference === reference);
  const returned = standing.filter((booking) => booking.kind === 'Refund' && booking.originalReference === reference);
  return sumAmounts(taken.map(({ amount }) => amount.value)) - sumAmounts(returned.map(({ amount }) => amount.value));
}

async function findAcquirerMismatches({ database, acquirerAddress, scope }: LedgerSources): Promise<string[]> {
  const acquirer = new AcquirerClient(acquirerAddress);
  try {
    const now = await database.now();
    const span = { from: new Date(now.getTime() - DAY_MS), to: new Date(now.getTime() + DAY_MS) };
    const directory = createCompleteDirectory();
    const services = { database, acquirers: { find: () => acquirer }, accounts: new AccountCache(), directory };
    const { findings, incomplete } = await compareWithAcquirers(services, scope, { span });
    return [
      ...findings.map(({ reference, says }) => `${reference}: ${says}`),
      ...incomplete.map(({ acquirer, problem }) => `the books of ${acquirer} are incomplete: ${problem}`),
    ];
  } finally {
    acquirer.close();
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function findPaymentMismatches(
  payment: TablePaymentRow,
  found: {
    readonly epos: readonly EposPayment[];
    readonly heldOf: (intentId: string) => number;
    readonly bookings: readonly Booking[];
  },
): string[] {
  const { id, state, intent_id: intentId } = payment;
  const total = payment.base_amount + payment.gratuity_amount + payment.cashback_amount;
  const money = intentId === null ? 0 : found.heldOf(intentId);
  const recorded = found.epos.filter(({ paymentId }) => paymentId === id);
  const faults: string[] = [];
  if (!['Recorded', 'GivenBack', 'Ended'].includes(state)) faults.push(`payment ${id} is still ${state}`);
  const isRecorded = state === 'Recorded';
  if (recorded.length !== (isRecorded ? 1 : 0)) {
    faults.push(`payment ${id} is ${state} here and ${recorded.length} times at the EPOS`);
  }
  if (money !== (isRecorded ? total : 0)) {
    faults.push(`payment ${id} is ${state}, and the acquirer holds ${money} of its ${total}`);
  }
  for (const line of recorded) {
    const isSame =
      line.baseAmount === payment.base_amount &&
      line.gratuityAmount === payment.gratuity_amount &&
      line.cashbackAmount === payment.cashback_amount &&
      line.currency === payment.currency &&
      line.sessionId === payment.session_id;
    if (!isSame) faults.push(`payment ${id} has other figures at the EPOS: ${JSON.stringify(line)}`);
    if (!found.bookings.some(({ transactionId }) => transactionId === line.acquirerTransactionId)) {
      faults.push(`payment ${id} names a transaction that the acquirer does not know`);
    }
  }
  return faults;
}

function findIntentMismatches(
  { id, status, captured, refunded, ledger }: OwnRecords['intents'][number],
  money: number,
): string[] {
  const kept = status === 'Captured' ? captured - refunded : 0;
  const faults: string[] = [];
  if (kept !== money) faults.push(`intent ${id} is ${status} with ${kept}, and the acquirer holds ${money}`);
  if (ledger !== money) faults.push(`the ledger of ${id} holds ${ledger}, the acquirer ${money}`);
  return faults;
}

/** An order that is paid in advance either exists and is captured, or neither. */
function findPlacementMismatches(
  { id, state, intent_id: intentId, total_amount: total, gratuity_amount: tip }: OrderPlacementRow,
  { orderPayments }: EposRecords,
  money: number,
): string[] {
  const isMade = state === 'Completed';
  const faults: string[] = [];
  if (!isMade && state !== 'GivenBack' && state !== 'Ended') faults.push(`order ${id} is still ${state}`);
  const listed = orderPayments.filter(({ paymentIntentId }) => paymentIntentId === intentId);
  if (listed.length !== (isMade ? 1 : 0))
    faults.push(`order ${id} is ${state}, and ${listed.length} times at the EPOS`);
  if (money !== (isMade ? total + tip : 0)) faults.push(`order ${id} is ${state}, and the acquirer holds ${money}`);
  for (const { paidAmount, tipsAmount } of listed) {
    if (paidAmount.value !== total || (tipsAmount?.value ?? 0) !== tip) {
      faults.push(`order ${id} has other figures at the EPOS: ${paidAmount.value}, tip ${tipsAmount?.value ?? 0}`);
    }
  }
  return faults;
}

/** The EPOS has no payment that is unknown to us, and each of its bills is paid by its payments. */
function findEposMismatches({ payments, sessions, orderPayments }: EposRecords, ours: OwnRecords): string[] {
  const strangers = payments.filter(({ paymentId }) => !ours.payments.some(({ id }) => id === paymentId));
  const strange = orderPayments.filter(
    ({ paymentIntentId }) => !ours.placements.some(({ intent_id: intentId }) => intentId === paymentIntentId),
  );
  return [
    ...strange.map(({ orderId }) => `the EPOS lists a payment on order ${orderId} that we never submitted`),
    ...strangers.map(({ paymentId }) => `the EPOS lists ${paymentId}, which we never began`),
    ...sessions.flatMap(({ sessionId, paidAmount, isFinished }) => {
      const lines = payments.filter((payment) => payment.sessionId === sessionId);
      const onOrder = orderPayments.filter(({ orderId }) => orderId === sessionId);
      if (isFinished && lines.length + onOrder.length === 0) return [];
      const listed =
        sumAmounts(lines.map(({ baseAmount }) => baseAmount)) +
        sumAmounts(onOrder.map((line) => line.paidAmount.value));
      return paidAmount === listed ? [] : [`${paidAmount} is paid on bill ${sessionId}, payments list ${listed}`];
    }),
  ];
}

function findTotalMismatches(ours: OwnRecords, bookings: readonly Booking[], epos: EposRecords): string[] {
  const atAcquirer = sumAmounts(ours.sessions.map((session) => computeHeld(bookings, session)));
  const inLedger = sumAmounts(ours.intents.map(({ ledger }) => ledger));
  const atTables = sumAmounts(epos.payments.map((line) => line.baseAmount + line.gratuityAmount + line.cashbackAmount));
  const onOrders = sumAmounts(epos.orderPayments.map((line) => line.paidAmount.value + (line.tipsAmount?.value ?? 0)));
  const atEpos = atTables + onOrders;
  if (atAcquirer === inLedger && inLedger === atEpos) return [];
  return [`in all the acquirer holds ${atAcquirer}, our ledger ${inLedger}, the EPOS ${atEpos}`];
}

function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
