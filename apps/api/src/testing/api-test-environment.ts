import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { CardDetails } from '@pos/core/cards';
import { createId } from '@pos/core/ids';
import type { MachineReport } from '@pos/core/terminals';
import { type Environment, type Permission, PERMISSIONS, ROLES, type Scope } from '@pos/core/identity';
import type { PaymentIntentStatus } from '@pos/core/payment-intents';
import { createApproval } from '@pos/core/testing';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient, CapabilityRefresher } from '@pos/payments/acquirer';
import { TerminalSessions } from '@pos/payments/terminals';
import { openClient, type Client } from '@pos/rest-contracts/client';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import * as intents from '@pos/rest-contracts/payment-intents';
import { Problem } from '@pos/rest-contracts/testing';
import * as machines from '@pos/rest-contracts/terminal-sessions';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import { createLog } from '@pos/service-kit/telemetry';
import { TestLog } from '@pos/testing';
import { createAccount, insertApiKey } from '@pos/store/repositories';
import { findTerminal, findTerminalSession, insertTerminal } from '@pos/store/terminals';
import { insertConnection } from '@pos/store/connections';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { registerTestPartners, TEST_PARTNERS } from './registered-partners.js';
import { MERCHANT_ID, TestAcquirer } from './test-acquirer.js';
import { type ApiSettings, buildSettings, createConfig } from './api-settings.js';
import type { HttpServer } from '@pos/service-kit/http';
import { startApi } from '../api-server.js';

/** An answer as it arrived over the socket. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The key, headers and body of a request. */
export interface TestRequest {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON, except text and bytes. */
  readonly body?: unknown;
}

/** The services that exist before the API starts, because its settings may refer to them. */
type SharedServices = Pick<ApiTestEnvironment, 'testDatabase' | 'acquirer'>;

const TEST_VERSION = '2026-02-27';
interface ApprovalOptions {
  readonly isSignatureRequired?: boolean;
  /** The number of the first report. */
  readonly from?: number;
  readonly card?: Partial<CardDetails>;
  /** Where the machine charges the card; the acquirer of the environment when left out. */
  readonly acquirer?: TestAcquirer;
}

export const GBP_20 = { value: 2000, currencyCode: 'GBP' };
const LOG_WAIT_MS_MAX = 2_000;

/** A page that may embed the card fields of every account. */
export const SHOP_ORIGIN = 'https://corner.example';

/** The API on a real socket with its own database and one account. */
export class ApiTestEnvironment {
  readonly sandbox = createTestScope();
  readonly production: Scope = { ...this.sandbox, environment: 'production' };
  /** Every log line of the app, as it was written. */
  readonly logLines: readonly string[];
  /** Applies the reports of the machines. */
  readonly sessions = new TerminalSessions(new AccountCache(), DEFAULT_PAYMENT_SETTINGS);
  /** `full` has all permissions of the account's sandbox; each other name states the difference. */
  readonly keys: Readonly<Record<'full' | 'production' | 'offline' | 'foreign', string>>;
  #tids = 0;
  #sent = 0;
  #foreign = createTestScope();

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly acquirer: TestAcquirer,
    readonly api: HttpServer,
    private readonly log: TestLog,
    private readonly settings: ApiSettings,
  ) {
    this.logLines = log.lines;
    this.keys = {
      full: createKeyText('sandbox'),
      production: createKeyText('production'),
      offline: createKeyText('sandbox'),
      foreign: createKeyText('sandbox'),
    };
  }

  static async open(
    settings: ApiSettings | ((around: SharedServices) => Promise<ApiSettings>) = {},
    line: (databaseUrl: string) => string = (url) => url,
  ): Promise<ApiTestEnvironment> {
    const testDatabase = await createTestDatabase();
    const acquirer = await TestAcquirer.open();
    const log = new TestLog();
    const own = typeof settings === 'function' ? await settings({ testDatabase, acquirer }) : settings;
    const config = createConfig(line(testDatabase.url), acquirer, own);
    const api = await startApi(config, createLog({ app: 'api', level: 'debug', write: log.write }));
    const testEnvironment = new ApiTestEnvironment(testDatabase, acquirer, api, log, own);
    await registerTestPartners(testDatabase.database);
    await testEnvironment.addAccount(testEnvironment.sandbox);
    await testEnvironment.addAccount(testEnvironment.#foreign);
    const { full, production, offline, foreign } = testEnvironment.keys;
    await testEnvironment.addKey(testEnvironment.sandbox, full, PERMISSIONS);
    await testEnvironment.addKey(testEnvironment.production, production, PERMISSIONS);
    await testEnvironment.addKey(testEnvironment.#foreign, foreign, PERMISSIONS);
    await testEnvironment.addKey(testEnvironment.sandbox, offline, ROLES.gateway);
    return testEnvironment;
  }

  /** Another process of the API on the same database, as it were: it shares nothing else. */
  async startAnother(settings: Readonly<Record<string, string>> = {}): Promise<HttpServer> {
    const log = createLog({ app: 'api', level: 'warn', write: this.log.write });
    return startApi(createConfig(this.testDatabase.url, this.acquirer, settings), log);
  }

  /** The settings of a process of the API on the same database and acquirer, as its environment. */
  buildEnvironment(settings: ApiSettings = {}): ApiSettings {
    return buildSettings(this.testDatabase.url, this.acquirer, { ...this.settings, ...settings });
  }

  async close(): Promise<void> {
    await this.api.close();
    this.acquirer.close();
    await this.testDatabase.close();
    this.log.expectNoLeaks();
  }

  /** A client of the account's sandbox, or of the owner of the key. */
  createClient(key: string = this.keys.full, version: string = TEST_VERSION): Client {
    const partners = { softwareHouseId: 'softwareHouse1', resellerId: 'reseller1' };
    return openClient({ baseUrl: this.api.url, apiKey: key, version, ...partners });
  }

  /** Sends a request as it is given. Adds the headers that every valid request has, except those that are null. */
  sendRequest(
    method: string,
    path: string,
    { key = this.keys.full, headers = {}, body }: TestRequest = {},
  ): Promise<TestResponse> {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all: Record<string, string | null> = {
      ...(key !== null && { authorization: `Basic ${key}` }),
      version: TEST_VERSION,
      // Requests without a key are limited by address.
      'x-forwarded-for': `10.0.${(this.#sent += 1) >> 8}.${this.#sent & 255}`,
      ...TEST_PARTNERS,
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(payload)}`,
      }),
      ...headers,
    };
    const sent = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    const { hostname, port } = new URL(this.api.url);
    return new Promise((resolve, reject) => {
      const asking = request({ hostname, port, method, path, headers: sent, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString('utf8'),
          });
        });
      });
      asking.on('error', reject);
      asking.end(payload);
    });
  }

  /** The code of a refusal, which only the log contains. */
  async findRefusal({ headers }: TestResponse): Promise<unknown> {
    const traceId = String(headers['trace-id']).split('-')[1] ?? '';
    const until = performance.now() + LOG_WAIT_MS_MAX;
    for (;;) {
      // A file has thousands of lines, and the one of the last answer is among the last.
      const line = this.logLines.findLast((each) => each.includes('"http.answered"') && each.includes(`"${traceId}"`));
      if (line !== undefined) return (JSON.parse(line) as Record<string, unknown>)['refusal'];
      if (performance.now() > until) throw new Error(`no line of ${traceId}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async addAccount({ accountId }: Scope, tradingName = 'The Corner Table'): Promise<void> {
    await createAccount(this.testDatabase.database, {
      id: accountId,
      name: `account ${accountId}`,
      tradingName,
      locationId: createId('location', 'sandbox', randomBytes(16)),
      merchantId: MERCHANT_ID,
      currencies: ['GBP', 'EUR'],
      settings: {
        branding: { logoUrl: 'https://corner.example/logo.svg', faviconUrl: null, accentColor: null, font: null },
        embeddingOrigins: { sandbox: [SHOP_ORIGIN], production: [] },
      },
      createdAt: new Date('2026-01-01T00:00:00.000Z'),
    });
  }

  /** Gives an account a key and returns its text. */
  async addKey(
    scope: Scope,
    text = createKeyText(scope.environment),
    permissions: readonly Permission[] = PERMISSIONS,
  ) {
    const key = { text, label: 'test', permissions, isStrict: true };
    await this.testDatabase.database.transact(scope, async (tx) =>
      insertApiKey(tx, { ...key, id: await tx.newId('apiKey') }),
    );
    return text;
  }

  /** Creates another account with a key that has all permissions. */
  async createAccount(): Promise<{ readonly scope: Scope; readonly key: string }> {
    const scope = createTestScope();
    await this.addAccount(scope);
    return { scope, key: await this.addKey(scope) };
  }

  /** Lets the acquirer lack capabilities, and the API know of it. Without limits it can do everything again. */
  async limitAcquirer(limits: CapabilityLimits = { lacks: [] }): Promise<void> {
    this.acquirer.simulator.capabilities.limit(limits);
    await this.api.app.get(CapabilityRefresher, { strict: false }).refresh();
  }

  /** A terminal that no other test uses, with a connected machine. */
  async createTerminal({ scope = this.sandbox, isConnected = true, inUse = false } = {}): Promise<string> {
    this.#tids += 1;
    const tid = String(90_000_000 + this.#tids);
    return this.testDatabase.database.transact(scope, async (tx) => {
      const id = await tx.newId('terminal');
      await insertTerminal(tx, { id, tid, name: 'test' });
      if (isConnected) {
        const at = { connectionId: await tx.newUuid(), gatewayId: 'gateway', gatewayAddress: '127.0.0.1:1' };
        await insertConnection(tx, { ...at, kind: 'machine', key: tid, inUse });
      }
      return id;
    });
  }

  async createIntent(more: Partial<SentBodyOf<typeof intents.createPaymentIntent>> = {}, key = this.keys.full) {
    const body = { amount: GBP_20, reference: 'table 4', ...more };
    return this.createClient(key)(intents.createPaymentIntent, { body });
  }

  /** Starts a sale of the intent on the given terminal, or on a new one. */
  async startSale(paymentIntentId: string, terminalId?: string) {
    const body = {
      terminalId: terminalId ?? (await this.createTerminal()),
      details: { sessionType: 'Sale', sale: { paymentIntentId } },
    } as const;
    return this.createClient()(machines.createTerminalSession, { body });
  }

  async startRefundSession(paymentIntentId: string, value?: number) {
    const amount = value === undefined ? {} : { amount: { value, currencyCode: 'GBP' } };
    const details = { sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId, ...amount } } as const;
    return this.createClient()(machines.createTerminalSession, {
      body: { terminalId: await this.createTerminal(), details },
    });
  }

  /** The machine confirms and approves; `from`: the number of its next report, if it has confirmed already. */
  async approveSession(
    sessionId: string,
    { isSignatureRequired = false, from = 1, card = {}, acquirer = this.acquirer }: ApprovalOptions = {},
  ): Promise<void> {
    const session = await this.testDatabase.database.read(this.sandbox, (reader) =>
      findTerminalSession(reader, sessionId),
    );
    if (session === null) throw new Error(`no session ${sessionId}`);
    const { acquirerReference: reference } = session;
    const approval = createApproval(session.total, { reference });
    const taken = { ...approval, card: { ...approval.card, ...card } };
    if (session.sessionType === 'Sale') await acquirer.chargeCard(session);
    const reports = [
      ...(from === 1 ? [{ kind: 'confirmed' } as const] : []),
      { kind: 'notification', notificationType: 'PresentCard' } as const,
      { kind: 'approved', approval: taken, isSignatureRequired } as const,
    ];
    for (const [at, report] of reports.entries()) await this.applyReport(sessionId, { ...report, number: from + at });
  }

  /** Pursues a call to the acquirer without an outcome, as a webhook worker does. */
  async pursueCall(reference: string): Promise<void> {
    const { database } = this.testDatabase;
    const acquirer = new AcquirerClient(this.acquirer.address);
    const accounts = new AccountCache();
    await new AcquirerCalls({
      database,
      acquirers: { find: () => acquirer },
      accounts,
      settings: DEFAULT_PAYMENT_SETTINGS,
    }).pursueCall(this.sandbox, reference);
    acquirer.close();
  }

  /** Applies a report of the session's machine. */
  async applyReport(sessionId: string, report: MachineReport): Promise<void> {
    await this.testDatabase.database.transact(this.sandbox, async (tx) => {
      const session = await findTerminalSession(tx, sessionId);
      const terminal = await findTerminal(tx, session?.terminalId ?? '');
      if (terminal === null) throw new Error(`no terminal runs ${sessionId}`);
      await this.sessions.applyReport(tx, { terminal, sessionId, report });
    });
  }

  /** A payment intent in a status, reached by the calls and reports of real payments. */
  async createIntentIn(
    status: PaymentIntentStatus,
    more: Parameters<ApiTestEnvironment['createIntent']>[0] = {},
  ): Promise<string> {
    const { id } = await this.createIntent({ captureMode: status === 'Authorized' ? 'Manual' : 'Auto', ...more });
    await this.bringIntentTo(id, status);
    return id;
  }

  /** Brings a new payment intent to a status. Only an intent with capture mode Manual can reach Authorized. */
  async bringIntentTo(id: string, status: PaymentIntentStatus): Promise<void> {
    switch (status) {
      case 'Created':
        return;
      case 'Canceled':
        await this.createClient()(intents.cancelPaymentIntent, { params: { paymentIntentId: id } });
        return;
      case 'Authorized':
      case 'Captured':
        await this.approveSession((await this.startSale(id)).id);
        return;
      case 'Reversed': {
        const session = await this.startSale(id);
        await this.approveSession(session.id, { isSignatureRequired: true });
        const params = { terminalSessionId: session.id };
        await this.createClient()(machines.decideSignature, { params, body: { accepted: false } });
        return;
      }
      case 'Refunded':
        await this.approveSession((await this.startSale(id)).id);
        await this.approveSession((await this.startRefundSession(id)).id);
        return;
    }
  }

  /** Reads the database directly, not through the API. */
  queryRows<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.testDatabase.database.readSystem((reader) =>
      reader.query<Row>(defineStatement('test_look', sql), values),
    );
  }
}

/** The problem in an answer. Throws if the answer has none. */
export function parseProblem({ text }: TestResponse): Problem {
  return Problem.parse(JSON.parse(text));
}

/** The members of an answer, unchecked. */
export function parseJson({ text }: TestResponse): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** A new random key. */
export function createKeyText(environment: Environment): string {
  return `sk_${environment === 'sandbox' ? 'sandbox' : 'prod'}_${randomBytes(32).toString('base64url')}`;
}
