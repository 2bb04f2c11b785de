import { Server, ServerCredentials } from '@grpc/grpc-js';
import { required } from '@pos/core/assert';
import { outstanding, type UncheckedBill } from '@pos/core/bill';
import type { Scope } from '@pos/core/identity';
import type { Requestor } from '@pos/core/lease';
import type { EposAnswer, EposCall, EposPort } from '@pos/core/ports';
import { isPositive, type Money } from '@pos/core/money';
import type { RecordAnswer } from '@pos/core/record-answer';
import { ROLES } from '@pos/core/permissions';
import type { PartWish } from '@pos/core/split';
import type { TablePayment, TablePaymentState } from '@pos/core/table-payment';
import { approvalOf, declineOf, VISA } from '@pos/core/testing';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { AccountCache } from '@pos/payments/accounts';
import type { JourneyView } from '@pos/payments/journeys';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { toRequestorInfo } from '@pos/payments/record-message';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import type { TablesAnswer, TablesCall } from '@pos/grpc-contracts/tables-methods';
import { Acquirer } from '@pos/sandbox/acquirer';
import { AcquirerBooks, memoryJournal } from '@pos/sandbox/acquirer-books';
import { AcquirerDoor } from '@pos/sandbox/acquirer-door';
import { serveAcquirer } from '@pos/sandbox/acquirer-grpc-server';
import { AcquirerRules } from '@pos/sandbox/acquirer-rules';
import { APPROVED } from '@pos/sandbox/card-verdict';
import { wallClock } from '@pos/sandbox/clock';
import { serveTablesCall } from '@pos/sandbox/epos-calls';
import type { EposDoor } from '@pos/sandbox/epos-door';
import { openHouse } from '@pos/sandbox/epos-house';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { Seed } from '@pos/sandbox/seed';
import { openLog } from '@pos/service-kit/log';
import { createAccount } from '@pos/store/accounts';
import { insertConnection } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { findTablePayment } from '@pos/store/table-payments';
import { findTerminal, insertTerminal } from '@pos/store/terminals';
import { findTerminalSession } from '@pos/store/terminal-sessions';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { assertFence, LeaseLost } from '@pos/store/timers';
import { randomBytes, randomUUID } from 'node:crypto';
import { assembleTables, type Tables } from './journey-assembly.js';

/** A runner's lease and the longest call, short so that a killed runner's successor comes within a second. */
const RUNNER_LEASE_MS = 500;
const CALL_LIMIT_MS = 400;

const LOOKS_MAX = 2_500;
const ARRIVALS_MAX = 50;
const LOOK_EVERY_MS = 10;
/** So many that no story waits for another one's machine. */
export const TIDS: readonly string[] = Array.from({ length: 40 }, (_, number) => String(90_000_001 + number));
const CARD = { number: '4445630000001096', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A GUEST' };
const CALLER = { permissions: new Set(ROLES.full) };

const askOrders = () => Promise.reject(new Error('the sandbox keeps sessions here, no orders'));

/** The EPOS of the sandbox without a wire between: its silences end at once, as a broken connection would. */
class DoorEpos implements EposPort {
  constructor(
    private readonly door: EposDoor,
    private readonly fenced: { readonly database: Database; readonly scope: Scope },
  ) {}

  getBill(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#asked({ $case: 'getBillItems', value }, billOf);
  }

  lockSession(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#asked({ $case: 'lockSession', value }, billOf);
  }

  unlockSession(sessionId: string, { requestor }: EposCall): Promise<EposAnswer<null>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(requestor) };
    return this.#asked({ $case: 'unlockSession', value }, () => null);
  }

  async recordPayment(
    message: Uint8Array,
    { paymentId, fence }: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<{ readonly answer: RecordAnswer; readonly reason: string }> {
    const { database, scope } = this.fenced;
    const claimed = { kind: 'table-payment', subject: paymentId, fence: Number(fence) } as const;
    try {
      await database.read(scope, (reader) => assertFence(reader, claimed));
    } catch (error) {
      if (error instanceof LeaseLost) return { answer: 'NotSent', reason: 'fenced off' };
      throw error;
    }
    const answer = await this.#asked(
      { $case: 'recordPayment', value: RecordPaymentRequest.decode(message) },
      () => null,
    );
    if (answer.outcome === 'answered') return { answer: 'Success', reason: '' };
    return answer.outcome === 'refused'
      ? { answer: answer.code, reason: answer.reason }
      : { answer: 'NoAnswer', reason: answer.reason };
  }

  recordOnOrder = askOrders;
  isOnOrder = askOrders;

  async #asked<T>(call: TablesCall, read: (answer: TablesAnswer) => T): Promise<EposAnswer<T>> {
    const served = await serveTablesCall(this.door, call, { transport: 'grpc', merchantName: 'The Oyster Shed' });
    switch (served.kind) {
      case 'answer':
        return { outcome: 'answered', value: read(served.answer) };
      case 'refusal':
        return { outcome: 'refused', code: served.code, reason: served.reason };
      case 'silence':
      case 'broken':
        return { outcome: 'noAnswer', reason: served.kind };
    }
  }
}

function billOf(answer: TablesAnswer): UncheckedBill {
  const bill = answer.$case === 'lockSession' || answer.$case === 'getBillItems' ? answer.value.billItems : undefined;
  if (bill === undefined) throw new Error('an answer without a bill');
  return bill;
}

/** A restaurant with its EPOS, its acquirer, two card machines, and as many gateways as a story needs. */
export class TableStage {
  readonly door: EposDoor;
  readonly acquirer: AcquirerDoor;
  readonly sessions: TerminalSessions;
  readonly #gateways: Tables[] = [];
  readonly #had = new Set<string>();
  #machinesHad = 1;

  private constructor(
    readonly scope: Scope,
    readonly parts: { readonly test: TestDatabase; readonly server: Server; readonly address: string },
    outside: { readonly door: EposDoor; readonly acquirer: AcquirerDoor },
  ) {
    this.door = outside.door;
    this.acquirer = outside.acquirer;
    this.sessions = new TerminalSessions(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);
  }

  static async open(): Promise<TableStage> {
    const scope = createTestScope();
    const seed = new Seed(randomBytes(8).toString('hex'));
    const clock = wallClock({ timeScale: 1, standingAt: null });
    const door = openHouse({
      ...{ seed, clock, accountId: scope.accountId, currencyCode: 'GBP', merchantName: 'The Oyster Shed' },
      ...{ needsLocks: false, readIntent: null },
    });
    const books = new Acquirer({ books: new AcquirerBooks(memoryJournal()), clock, seed });
    const acquirer = new AcquirerDoor({ acquirer: books, rules: new AcquirerRules(), clock });
    const server = new Server();
    serveAcquirer(server, { door: acquirer, clock, stepUpUrl: 'http://127.0.0.1/step-up' });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, opened) => {
        if (error === null) resolve(opened);
        else reject(error);
      });
    });
    const test = await createTestDatabase({ poolMax: 10 });
    const stage = new TableStage(scope, { test, server, address: `127.0.0.1:${port}` }, { door, acquirer });
    await stage.#furnish();
    return stage;
  }

  get database(): Database {
    return this.parts.test.database;
  }

  /** Another gateway on the same database; `fault` is passed at every named place. */
  async gateway(
    fault: PaymentSettings['fault'] = () => undefined,
    acquirer: { readonly address?: string; readonly deadlineMs?: number } = {},
  ): Promise<Tables> {
    const database = await this.parts.test.open();
    const accounts = new AccountCache();
    const { deadlineMs = 2_000, address: acquirerAddress = this.parts.address } = acquirer;
    const settings: PaymentSettings = { ...DEFAULT_PAYMENT_SETTINGS, fault, acquirerDeadlineMs: deadlineMs };
    const tables = assembleTables({
      ...{ database, accounts, settings, acquirerAddress },
      intents: new PaymentIntents(accounts),
      sessions: new TerminalSessions(accounts, settings),
      askOrders,
      eposOf: (scope) => new DoorEpos(this.door, { database, scope }),
      runnerLeaseMs: RUNNER_LEASE_MS,
      lockLeaseMs: 600_000,
      callLimitMs: CALL_LIMIT_MS,
      log: openLog({
        app: 'test',
        level: process.env['LOG_LEVEL'] ?? 'fatal',
        write: (line) => process.stderr.write(line),
      }),
    });
    await tables.start();
    this.#gateways.push(tables);
    return tables;
  }

  /** A session nobody has had yet, whose bill is at least that large and not paid. */
  party(atLeast = 1_000): DiningSession {
    const { restaurant } = this.door.epos;
    for (let arrivals = 0; arrivals < ARRIVALS_MAX; arrivals += 1) {
      const open = restaurant.sessions().filter(({ bill }) => bill !== null && isPositive(outstanding(bill)));
      const found = open.find(({ id, bill }) => !this.#had.has(id) && bill !== null && bill.total.value >= atLeast);
      if (found !== undefined) {
        this.#had.add(found.id);
        return found;
      }
      // Whoever pays makes room for the next party.
      const [oldest] = open;
      if (oldest?.bill === null || oldest === undefined) break;
      restaurant.pay(oldest, outstanding(oldest.bill));
    }
    throw new Error('nobody owes that much');
  }

  /** A card machine that nobody has had yet. */
  freshTid(): string {
    this.#machinesHad += 1;
    return required(TIDS[this.#machinesHad], 'another card machine');
  }

  /** What the EPOS has as paid on a session. */
  paid({ id }: DiningSession): number {
    return this.door.epos.restaurant.find(id)?.bill?.paid.value ?? 0;
  }

  /** What the EPOS has booked under the id of a payment. */
  recorded(id: string): number[] {
    return this.door.epos.payments().flatMap((payment) => (payment.id === id ? [payment.base.value] : []));
  }

  isLocked({ id }: DiningSession): boolean {
    return this.door.epos.locks().some(({ sessionId }) => sessionId === id);
  }

  begin(gateway: Tables, party: DiningSession, tid = this.freshTid()): Promise<JourneyView> {
    const requestor: Requestor = { type: 'cardMachine', terminalId: tid, waiterId: 0 };
    const { id: sessionId, name: sessionName, tableName } = party;
    const begin = { sessionId, sessionName, tableName, isPayable: true, owner: tid, requestor };
    return gateway.desk.start(this.scope, begin);
  }

  take(
    gateway: Tables,
    { journey }: JourneyView,
    wanted: PartWish & { readonly paymentId?: string; readonly gratuity?: number; readonly tid?: string },
  ): Promise<JourneyView> {
    const { paymentId = randomUUID(), gratuity = 0, tid = null, ...part } = wanted;
    const wish = { journeyId: journey.id, paymentId, part, gratuity, cashback: 0, tid };
    return gateway.desk.take(
      { scope: this.scope, ...CALLER },
      { journeyId: journey.id, paymentId, fingerprint: JSON.stringify(wish), wishFor: () => wish },
    );
  }

  /** The acquirer says yes to the machine; what the guest pays, and under which reference. */
  async takeCard({ terminalSessionId }: TablePayment): Promise<{ readonly amount: Money; readonly reference: string }> {
    const session = await this.database.read(this.scope, (reader) =>
      findTerminalSession(reader, terminalSessionId ?? ''),
    );
    const { acquirerReference: reference, total: amount } = required(session, 'the card session');
    const instrument = { kind: 'present', terminalId: '90000001', card: CARD, verdict: APPROVED } as const;
    await this.acquirer.authorise({ reference, merchantId: 'm-1', amount, isPurchase: true, instrument });
    return { amount, reference };
  }

  /** The guest pays: acquirer and machine say yes. */
  async approve(payment: TablePayment, { isSignatureRequired = false } = {}): Promise<void> {
    const { amount, reference } = await this.takeCard(payment);
    await this.#report(payment, [
      { number: 1, kind: 'confirmed' },
      {
        number: 2,
        kind: 'approved',
        approval: approvalOf(amount, { reference, transactionId: randomUUID(), card: VISA }),
        isSignatureRequired,
      },
    ]);
  }

  async decline(payment: TablePayment): Promise<void> {
    const session = await this.database.read(this.scope, (r) =>
      findTerminalSession(r, payment.terminalSessionId ?? ''),
    );
    const { total } = required(session, 'the card session');
    const result = { ...approvalOf(total), ...declineOf(), authCode: '' };
    await this.#report(payment, [
      { number: 1, kind: 'confirmed' },
      { number: 2, kind: 'declined', result: { ...result, card: VISA } },
    ]);
  }

  async paymentOf(id: string): Promise<TablePayment> {
    return required(await this.database.read(this.scope, (reader) => findTablePayment(reader, id)), 'the payment');
  }

  /** Waits until the payment stands like that; what it passes on the way is its own affair. */
  async arrives(id: string, ...states: TablePaymentState[]): Promise<TablePayment> {
    let payment = await this.paymentOf(id);
    await until(
      async () => {
        payment = await this.paymentOf(id);
        return states.includes(payment.state);
      },
      () => `${payment.state}, ${payment.lastError ?? ''}`,
    );
    return payment;
  }

  /** All that was noted of the payment happened that much earlier, and its next step is due. */
  async age(id: string, ms: number): Promise<void> {
    const { accountId, environment } = this.scope;
    const columns = ['since', 'due_at', 'doubt_at', 'first_unanswered_at', 'give_back_since'];
    const sets = columns.map((column) => `${column} = ${column} - $4 * interval '1 millisecond'`).join(', ');
    const { dataSource } = this.database;
    const where = 'where account_id = $1 and environment = $2';
    const place = [accountId, environment, id];
    await dataSource.query(`update table_payments set ${sets} ${where} and id = $3`, [...place, ms]);
    await dataSource.query(`update timers set due_at = clock_timestamp() ${where} and subject = $3`, place);
  }

  /** The time of a lease is over, and it is due to be looked at. */
  async expireLease(leaseId: string): Promise<void> {
    const { dataSource } = this.database;
    const place = [this.scope.accountId, this.scope.environment, leaseId];
    const past = `clock_timestamp() - interval '1 second'`;
    const where = 'where account_id = $1 and environment = $2';
    await dataSource.query(`update session_leases set expires_at = ${past} ${where} and lease_id = $3`, place);
    await dataSource.query(`update timers set due_at = ${past} ${where} and subject = $3`, place);
  }

  async close(): Promise<void> {
    await Promise.all(this.#gateways.map((each) => each.stop()));
    this.parts.server.forceShutdown();
    await this.parts.test.close();
  }

  async #report(payment: TablePayment, reports: readonly Parameters<TerminalSessions['applyReport']>[1]['report'][]) {
    for (const report of reports) {
      await this.database.transact(this.scope, async (tx) => {
        const session = required(await findTerminalSession(tx, payment.terminalSessionId ?? ''), 'the card session');
        const terminal = required(await findTerminal(tx, session.terminalId), 'the terminal');
        await this.sessions.applyReport(tx, { terminal, sessionId: session.id, report });
      });
    }
  }

  async #furnish(): Promise<void> {
    const { scope, database } = this;
    await createAccount(database, {
      id: scope.accountId,
      name: `shed-${scope.accountId.slice(-6)}`,
      tradingName: 'The Oyster Shed',
      locationId: `loc_${randomBytes(16).toString('base64url')}`,
      merchantId: 'm-1',
      currencies: ['GBP'],
      settings: {},
      createdAt: new Date(),
    });
    await database.transact(scope, async (tx) => {
      for (const tid of TIDS) {
        await insertTerminal(tx, { id: await tx.newId('terminal'), tid, name: tid });
        const connection = { connectionId: randomUUID(), kind: 'machine', key: tid, inUse: false } as const;
        await insertConnection(tx, { ...connection, gatewayId: 'g', gatewayAddress: 'g:1' });
      }
    });
    // The machines of these tests are always there, however long a test takes.
    await database.dataSource.query(
      `update connections set seen_at = clock_timestamp() + interval '1 day' where account_id = $1 and environment = $2`,
      [scope.accountId, scope.environment],
    );
  }
}

/** Waits for what has to come true; how long it takes is nobody's promise. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: () => string = () => '',
): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
  throw new Error(`it never came true: ${otherwise()}`);
}

/** The code an EPOS's refusal carries to the device, or the refusal of our own. */
export async function refusalOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return 'done';
  } catch (error) {
    if (typeof error !== 'object' || error === null) throw error;
    if ('tablesError' in error && error.tablesError !== null) return (error.tablesError as { code: string }).code;
    if ('code' in error && typeof error.code === 'string') return error.code;
    throw error;
  }
}
