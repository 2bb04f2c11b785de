import { Server, ServerCredentials } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { requireValue } from '@pos/core/refusals';
import { computeOutstanding, type Requestor, type TablePayment, type TablePaymentState } from '@pos/core/tables';
import { isPositive, type Money } from '@pos/core/money';
import { ROLES, type Scope } from '@pos/core/identity';
import type { PartRequest } from '@pos/core/journeys';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { createApproval, createPlainIntentRequest, gbp, getDecline, VISA } from '@pos/core/testing';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import type { JourneyView } from '@pos/payments/tables';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import {
  Acquirer,
  AcquirerBooks,
  AcquirerRuleSet,
  AcquirerSimulator,
  addAcquirerService,
  createMemoryJournal,
} from '@pos/sandbox/acquirer';
import { APPROVED, openRestaurantEpos } from '@pos/sandbox/testing';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { type EposSimulator } from '@pos/sandbox/epos-simulator';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { createLog } from '@pos/service-kit/telemetry';
import { createAccount } from '@pos/store/repositories';
import { findTerminal, findTerminalByTid, findTerminalSession, insertTerminal } from '@pos/store/terminals';
import { insertConnection } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { findTablePayment } from '@pos/store/tables';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { createTestTableServices, type TableServices } from './table-services.js';
import { rejectOrderCalls, SimulatedEposPort } from './epos-port.js';
import { waitUntil } from './polling.js';

/** A runner's lease and the longest call, short, so that the next runner of a killed one starts within a second. */
const RUNNER_LEASE_MS = 500;
const CALL_LIMIT_MS = 400;

const ARRIVALS_MAX = 50;
/** Enough that no scenario waits for the machine of another one. */
export const TIDS: readonly string[] = Array.from({ length: 40 }, (_, number) => String(90_000_001 + number));
const CARD = { number: '4445630000001096', expiryMonth: 12, expiryYear: 2032, cv2: '', cardholderName: 'A GUEST' };
const CALLER = { permissions: new Set(ROLES.full) };

/** A restaurant with its EPOS, its acquirer, two card machines, and as many gateways as a scenario needs. */
export class TableTestEnvironment {
  readonly eposSimulator: EposSimulator;
  readonly acquirer: AcquirerSimulator;
  readonly sessions: TerminalSessions;
  readonly #services: TableServices[] = [];
  readonly #usedSessionIds = new Set<string>();
  /** Gateways share its connections. Opening them takes longer than most scenarios. */
  #gatewayDatabase: Promise<Database> | null = null;
  #usedMachines = 1;

  private constructor(
    readonly scope: Scope,
    readonly resources: { readonly testDatabase: TestDatabase; readonly server: Server; readonly address: string },
    simulated: { readonly eposSimulator: EposSimulator; readonly acquirer: AcquirerSimulator },
  ) {
    this.eposSimulator = simulated.eposSimulator;
    this.acquirer = simulated.acquirer;
    this.sessions = new TerminalSessions(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);
  }

  static async create(): Promise<TableTestEnvironment> {
    const scope = createTestScope();
    const seed = new Seed(randomBytes(8).toString('hex'));
    const clock = createWallClock({ timeScale: 1, frozenAt: null });
    const eposSimulator = openRestaurantEpos({
      ...{ seed, clock, accountId: scope.accountId, currencyCode: 'GBP', merchantName: 'The Oyster Shed' },
      ...{ needsLocks: false, readIntent: null },
    });
    const books = new Acquirer({ books: new AcquirerBooks(createMemoryJournal()), clock, seed });
    const acquirer = new AcquirerSimulator({ acquirer: books, rules: new AcquirerRuleSet(), clock });
    const server = new Server();
    addAcquirerService(server, { simulator: acquirer, clock, stepUpUrl: 'http://127.0.0.1/step-up' });
    const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
    const test = await createTestDatabase();
    const stage = new TableTestEnvironment(
      scope,
      { testDatabase: test, server, address: `127.0.0.1:${port}` },
      { eposSimulator, acquirer },
    );
    await stage.#createTestData();
    return stage;
  }

  get database(): Database {
    return this.resources.testDatabase.database;
  }

  /**
   * Starts a gateway; `fault` is passed at every named place. With `ownConnections` it has its own, as another process
   * has.
   */
  async startGateway(
    fault: PaymentSettings['fault'] = () => undefined,
    options: { readonly address?: string; readonly deadlineMs?: number; readonly ownConnections?: boolean } = {},
  ): Promise<TableServices> {
    const { deadlineMs = 2_000, address: acquirerAddress = this.resources.address, ownConnections = false } = options;
    const { testDatabase } = this.resources;
    const database = await (ownConnections ? testDatabase.open() : (this.#gatewayDatabase ??= testDatabase.open()));
    const accounts = new AccountCache();
    const settings: PaymentSettings = { ...DEFAULT_PAYMENT_SETTINGS, fault, acquirerDeadlineMs: deadlineMs };
    const tables = createTestTableServices({
      ...{ database, accounts, settings, acquirerAddress },
      intents: new PaymentIntents(accounts, settings),
      sessions: new TerminalSessions(accounts, settings),
      callData: rejectOrderCalls,
      getEpos: (scope) => new SimulatedEposPort(this.eposSimulator, { database, scope }),
      runnerLeaseMs: RUNNER_LEASE_MS,
      lockLeaseMs: 600_000,
      callLimitMs: CALL_LIMIT_MS,
      log: createLog({
        app: 'test',
        level: process.env['LOG_LEVEL'] ?? 'fatal',
        write: (line) => process.stderr.write(line),
      }),
    });
    await tables.start();
    this.#services.push(tables);
    return tables;
  }

  /** An unused session with an unpaid bill of at least this total. */
  findUnpaidSession(minimumTotal = 1_000): DiningSession {
    const { restaurant } = this.eposSimulator.epos;
    for (let arrivals = 0; arrivals < ARRIVALS_MAX; arrivals += 1) {
      const open = restaurant.sessions().filter(({ bill }) => bill !== null && isPositive(computeOutstanding(bill)));
      const found = open.find(
        ({ id, bill }) => !this.#usedSessionIds.has(id) && bill !== null && bill.total.value >= minimumTotal,
      );
      if (found !== undefined) {
        this.#usedSessionIds.add(found.id);
        return found;
      }
      // A payment makes room for the next party.
      const [oldest] = open;
      if (oldest?.bill === null || oldest === undefined) break;
      restaurant.addPayment(oldest, computeOutstanding(oldest.bill));
    }
    throw new Error('nobody owes that much');
  }

  /** An unused card machine. */
  takeUnusedTid(): string {
    this.#usedMachines += 1;
    return requireValue(TIDS[this.#usedMachines], 'another card machine');
  }

  /** The paid amount of a session at the EPOS. */
  getPaidAmount({ id }: DiningSession): number {
    return this.eposSimulator.epos.restaurant.findSession(id)?.bill?.paid.value ?? 0;
  }

  /** The bookings of the EPOS with the id of a payment. */
  listRecordedAmounts(id: string): number[] {
    return this.eposSimulator.epos.listPayments().flatMap((payment) => (payment.id === id ? [payment.base.value] : []));
  }

  isLocked({ id }: DiningSession): boolean {
    return this.eposSimulator.epos.listLocks().some(({ sessionId }) => sessionId === id);
  }

  startJourney(gateway: TableServices, diningSession: DiningSession, tid = this.takeUnusedTid()): Promise<JourneyView> {
    const requestor: Requestor = { type: 'cardMachine', terminalId: tid, waiterId: 0 };
    const { id: sessionId, name: sessionName, tableName } = diningSession;
    const startRequest = { sessionId, sessionName, tableName, isPayable: true, owner: tid, requestor };
    return gateway.journeyService.startJourney(this.scope, startRequest);
  }

  takePayment(
    gateway: TableServices,
    { journey }: JourneyView,
    partRequest: PartRequest & { readonly paymentId?: string; readonly gratuity?: number; readonly tid?: string },
  ): Promise<JourneyView> {
    const { paymentId = randomUUID(), gratuity = 0, tid = null, ...part } = partRequest;
    const partToTake = { journeyId: journey.id, paymentId, part, gratuity, cashback: 0, tid };
    return gateway.journeyService.takePayment(
      { scope: this.scope, ...CALLER },
      { journeyId: journey.id, paymentId, fingerprint: JSON.stringify(partToTake), buildRequest: () => partToTake },
    );
  }

  /** The acquirer approves for the machine; returns the paid amount and the reference. */
  async authoriseCard({
    terminalSessionId,
  }: Pick<TablePayment, 'terminalSessionId'>): Promise<{ readonly amount: Money; readonly reference: string }> {
    const session = await this.database.read(this.scope, (reader) =>
      findTerminalSession(reader, terminalSessionId ?? ''),
    );
    const { acquirerReference: reference, total: amount } = requireValue(session, 'the card session');
    const instrument = { kind: 'present', terminalId: '90000001', card: CARD, verdict: APPROVED } as const;
    await this.acquirer.authorise({ reference, merchantId: 'm-1', amount, isPurchase: true, instrument });
    return { amount, reference };
  }

  /** The payer pays: acquirer and machine approve. */
  async approvePayment(payment: TablePayment, { isSignatureRequired = false } = {}): Promise<void> {
    const { amount, reference } = await this.authoriseCard(payment);
    await this.#applyReports(payment, [
      { number: 1, kind: 'confirmed' },
      {
        number: 2,
        kind: 'approved',
        approval: createApproval(amount, { reference, transactionId: randomUUID(), card: VISA }),
        isSignatureRequired,
      },
    ]);
  }

  /** A device takes money with a card machine by itself; returns the acquirer's id of the transaction. */
  async takeOwnCard(tid: string, minorUnits: number): Promise<string> {
    const transactionId = randomUUID();
    const intents = new PaymentIntents(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);
    const terminalSessionId = await this.database.transact(this.scope, async (tx) => {
      const terminal = requireValue(await findTerminalByTid(tx, tid), 'the terminal');
      const { intent } = await intents.create(tx, CALLER, {
        ...createPlainIntentRequest(gbp(minorUnits)),
        details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
        ...{ isNotOnlineCheckout: false, generateRemoteToken: null },
      });
      const sale = { sessionType: 'Sale', terminalId: terminal.id, paymentIntentId: intent.id } as const;
      return (await this.sessions.create(tx, CALLER, sale)).session.id;
    });
    const { amount, reference } = await this.authoriseCard({ terminalSessionId });
    const transactionDateTime = new Date().toISOString();
    const approval = createApproval(amount, { reference, transactionId, transactionDateTime, card: VISA });
    await this.#applyReports({ terminalSessionId }, [
      { number: 1, kind: 'confirmed' },
      { number: 2, kind: 'approved', approval, isSignatureRequired: false },
    ]);
    return transactionId;
  }

  async declinePayment(payment: TablePayment): Promise<void> {
    const session = await this.database.read(this.scope, (r) =>
      findTerminalSession(r, payment.terminalSessionId ?? ''),
    );
    const { total } = requireValue(session, 'the card session');
    const result = { ...createApproval(total), ...getDecline(), authCode: '' };
    await this.#applyReports(payment, [
      { number: 1, kind: 'confirmed' },
      { number: 2, kind: 'declined', result: { ...result, card: VISA } },
    ]);
  }

  async getPayment(id: string): Promise<TablePayment> {
    return requireValue(await this.database.read(this.scope, (reader) => findTablePayment(reader, id)), 'the payment');
  }

  /** Waits until the payment is in that state, through any states before. */
  async waitForState(id: string, ...states: TablePaymentState[]): Promise<TablePayment> {
    let payment = await this.getPayment(id);
    await waitUntil(
      async () => {
        payment = await this.getPayment(id);
        return states.includes(payment.state);
      },
      () => `${payment.state}, ${payment.lastError ?? ''}`,
    );
    return payment;
  }

  /** Moves all times of the payment back, and makes its next step due. */
  async shiftPaymentTimes(id: string, ms: number): Promise<void> {
    const { accountId, environment } = this.scope;
    const columns = ['since', 'due_at', 'doubt_at', 'first_unanswered_at', 'give_back_since'];
    const sets = columns.map((column) => `${column} = ${column} - $4 * interval '1 millisecond'`).join(', ');
    const { dataSource } = this.database;
    const where = 'where account_id = $1 and environment = $2';
    const rowValues = [accountId, environment, id];
    await dataSource.query(`update table_payments set ${sets} ${where} and id = $3`, [...rowValues, ms]);
    await dataSource.query(`update timers set due_at = clock_timestamp() ${where} and subject = $3`, rowValues);
  }

  /** Makes a lease expire, and its timer due. */
  async expireLease(leaseId: string): Promise<void> {
    const { dataSource } = this.database;
    const rowValues = [this.scope.accountId, this.scope.environment, leaseId];
    const expiredAt = `clock_timestamp() - interval '1 second'`;
    const where = 'where account_id = $1 and environment = $2';
    await dataSource.query(`update session_leases set expires_at = ${expiredAt} ${where} and lease_id = $3`, rowValues);
    await dataSource.query(`update timers set due_at = ${expiredAt} ${where} and subject = $3`, rowValues);
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((each) => each.stop()));
    this.resources.server.forceShutdown();
    await this.resources.testDatabase.close();
  }

  async #applyReports(
    payment: Pick<TablePayment, 'terminalSessionId'>,
    reports: readonly Parameters<TerminalSessions['applyReport']>[1]['report'][],
  ) {
    for (const report of reports) {
      await this.database.transact(this.scope, async (tx) => {
        const session = requireValue(
          await findTerminalSession(tx, payment.terminalSessionId ?? ''),
          'the card session',
        );
        const terminal = requireValue(await findTerminal(tx, session.terminalId), 'the terminal');
        await this.sessions.applyReport(tx, { terminal, sessionId: session.id, report });
      });
    }
  }

  async #createTestData(): Promise<void> {
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
    // The machines of these tests stay connected during the whole test.
    await database.dataSource.query(
      `update connections set seen_at = clock_timestamp() + interval '1 day' where account_id = $1 and environment = $2`,
      [scope.accountId, scope.environment],
    );
  }
}

/** The code of the EPOS's refusal, or of our own. */
export async function getRefusalCode(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return 'done';
  } catch (error) {
    if (typeof error !== 'object' || error === null) throw error;
    if ('tablesError' in error && error.tablesError !== null) return (error.tablesError as { code: string }).code;
    if ('code' in error && typeof error.code === 'string') return error.code;
    throw error;
  }
}
