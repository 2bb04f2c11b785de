import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { createId } from '@pos/core/ids';
import { money } from '@pos/core/money';
import {
  type Environment,
  type PaymentMethodId,
  type Permission,
  PERMISSIONS,
  ROLES,
  type Scope,
  type SetupIntentId,
} from '@pos/core/identity';
import { type PaymentIntentRequest, PaymentIntents } from '@pos/payments/payment-intents';
import { commitIntent, createIntentRequest, type SetupIntentRequest, WORKER_TIMER_KINDS } from '@pos/payments/testing';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer';
import { Customers } from '@pos/payments/customers';
import { Holds } from '@pos/payments/holds';
import { SetupIntents } from '@pos/payments/setup-intents';
import { TerminalSessions } from '@pos/payments/terminals';
import { createTimerEffects } from '@pos/payments/timers';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { readConfig } from '@pos/service-kit/config';
import { createLog } from '@pos/service-kit/telemetry';
import { TestLog } from '@pos/testing';
import { createAccount, insertApiKey } from '@pos/store/repositories';
import { beginAdvance, endAdvance, applyClockStep } from '@pos/store/clock';
import type { Database } from '@pos/store/database';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations';
import { findIntent, lockIntent, listPaymentEvents } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import {
  createTestDatabase,
  createTestScope,
  TEST_SECRETS,
  type TestDatabase,
  readTestServer,
} from '@pos/store/testing';
import { TimerQueue } from '@pos/store/queues';
import { startVault, type CardVaultServer } from '../vault-server.js';
import { Config } from '../config/config.js';
import { AcquirerTestServer } from './acquirer-test-server.js';
import {
  createMasterKey,
  type Payable,
  SETUP_REQUEST,
  type VaultRequest,
  type VaultResponse,
  type CompletionRequest,
} from './card-requests.js';
import { getInternalTls } from '@pos/service-kit/testing';

export const APPROVED_CARD = '4456530000091014';
const MERCHANT_ID = 'merchant-vault';
/** Long enough for a busy machine. Tests of missing answers start a vault with the short deadline. */
const DEADLINE_MS = 20_000;
const SHORT_DEADLINE_MS = 500;

/** The vault on a real socket, with its own database and the simulated acquirer, whose clock moves only on command. */
export class VaultTestEnvironment {
  readonly sandbox: Scope;
  readonly production: Scope;
  readonly #log = new TestLog();
  readonly logLines: readonly string[] = this.#log.lines;
  readonly #accounts = new AccountCache();
  readonly #settings: PaymentSettings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    acquirerDeadlineMs: DEADLINE_MS,
  };
  readonly intents = new PaymentIntents(this.#accounts, this.#settings);
  readonly setups = new SetupIntents(this.#accounts, this.#settings);
  readonly #acquirer: AcquirerClient;
  #vaults: CardVaultServer[] = [];
  #clients = 0;

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly outside: AcquirerTestServer,
  ) {
    this.#acquirer = new AcquirerClient(outside.address);
    this.sandbox = createTestScope();
    this.production = { ...this.sandbox, environment: 'production' };
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<VaultTestEnvironment> {
    const testDatabase = await createTestDatabase();
    const testEnvironment = new VaultTestEnvironment(testDatabase, await AcquirerTestServer.open());
    await createAccount(testDatabase.database, {
      id: testEnvironment.sandbox.accountId,
      name: 'The Corner Table Ltd',
      tradingName: 'The Corner Table',
      locationId: createId('location', 'sandbox', randomBytes(16)),
      merchantId: MERCHANT_ID,
      currencies: ['GBP', 'EUR'],
      settings: {},
      createdAt: new Date(),
      cardAttestationUntil: new Date(Date.now() + 365 * 86_400_000),
    });
    await testEnvironment.startAnother(settings);
    return testEnvironment;
  }

  /** The settings of a vault process in this environment. */
  buildEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      DATABASE_URL: buildRoleUrl(this.testDatabase.ownerUrl, VAULT_ROLE, readTestServer().vaultPassword),
      DATABASE_CONNECTIONS: '4',
      ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      VAULT_KEYS: createMasterKey('first', 1),
      HTTP_PORT: '0',
      GRPC_PORT: '0',
      ...getInternalTls('card-vault'),
      NODE_ENV: 'test',
      TRUSTED_PROXIES: '127.0.0.1',
      ACQUIRER_ADDRESS: this.outside.address,
      ACQUIRER_DEADLINE_MS: String(DEADLINE_MS),
      ...settings,
    };
  }

  /** Starts another process of the vault. Requests go to the first one unless they name another. */
  async startAnother(settings: Readonly<Record<string, string>> = {}): Promise<CardVaultServer> {
    const log = createLog({ app: 'card-vault', level: 'debug', write: this.#log.write });
    const vault = await startVault(readConfig(Config, this.buildEnvironment(settings)), log);
    this.#vaults.push(vault);
    return vault;
  }

  /** Starts a vault with a short deadline for the acquirer's answers. */
  startWithShortDeadline(): Promise<CardVaultServer> {
    return this.startAnother({ ACQUIRER_DEADLINE_MS: String(SHORT_DEADLINE_MS) });
  }

  /** Starts a vault while the acquirer declares that it lacks capabilities. The acquirer itself can do everything again. */
  async startWithLimits(limits: CapabilityLimits): Promise<CardVaultServer> {
    const { capabilities } = this.outside.acquirerSimulator;
    capabilities.limit(limits);
    // What it declared to the other vaults is in the database, and would be used first.
    await this.queryRows('delete from acquirers returning name');
    const vault = await this.startAnother();
    capabilities.reset();
    return vault;
  }

  async close(): Promise<void> {
    for (const vault of this.#vaults) await vault.close();
    this.#acquirer.close();
    this.outside.close();
    await this.testDatabase.close();
    this.#log.expectNoLeaks();
  }

  get database(): Database {
    return this.testDatabase.database;
  }

  /** A payment intent over £20.00 with a fresh secret. */
  async createPayable(
    newRequest: Partial<PaymentIntentRequest> & { total?: number; environment?: Environment } = {},
  ): Promise<Payable> {
    const { total = 2_000, environment = 'sandbox', ...more } = newRequest;
    const scope = { ...this.sandbox, environment };
    const view = await this.database.transact(scope, (tx) =>
      this.intents.create(
        tx,
        { permissions: new Set(ROLES.full) },
        { ...createIntentRequest({ generateRemoteToken: true }), amount: money(total, 'GBP'), ...more },
      ),
    );
    return { id: view.intent.id, secret: view.intent.clientSecret!, scope };
  }

  /** A setup intent with a fresh secret. */
  async createSetup(newRequest: Partial<SetupIntentRequest> = {}): Promise<Payable<SetupIntentId>> {
    const scope = this.sandbox;
    const { setup } = await this.database.transact(scope, (tx) =>
      this.setups.create(tx, { ...SETUP_REQUEST, ...newRequest }),
    );
    return { id: setup.id, secret: setup.clientSecret!, scope };
  }

  /** Replaces the secret of a setup intent as its integrator does: all earlier ones are void. */
  async replaceSetupSecret({ id, scope }: Pick<Payable<SetupIntentId>, 'id' | 'scope'>): Promise<void> {
    await this.database.transact(scope, (tx) => this.setups.refreshSecret(tx, id));
  }

  /** The secret of a page of a setup intent, for another try. */
  async refreshSetup({ id, scope }: Pick<Payable<SetupIntentId>, 'id' | 'scope'>): Promise<string> {
    const view = await this.database.transact(scope, (tx) => this.setups.refreshSecretPublic(tx, id));
    return view.setup.clientSecret!;
  }

  /** The status of a setup intent and its events: `Authorized Authorized`. */
  async readSetupState(id: string): Promise<string> {
    const view = await this.database.read(this.sandbox, (reader) => this.setups.get(reader, id));
    return [view.setup.status, ...view.events.map(({ eventType }) => eventType)].join(' ');
  }

  /** The cards that are stored for a setup intent: `Stored number`, `Erased none`. */
  async listStoredOfSetup(id: string): Promise<string[]> {
    const rows = await this.queryRows<{ state: string; has_number: boolean }>(
      `select s.state, n.card_id is not null as has_number from saved_cards s
       left join vault.card_numbers n on n.account_id = $1 and n.card_id = s.id
       where s.account_id = $1 and s.setup_intent_id = $2 order by s.created_at`,
      [this.sandbox.accountId, id],
    );
    return rows.map(({ state, has_number }) => `${state} ${has_number ? 'number' : 'none'}`);
  }

  /** A key of the account's sandbox. */
  async createKey(permissions: readonly Permission[] = PERMISSIONS, scope: Scope = this.sandbox): Promise<string> {
    const text = `sk_${scope.environment === 'sandbox' ? 'sandbox' : 'prod'}_${randomBytes(32).toString('base64url')}`;
    await this.database.transact(scope, async (tx) => {
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'test', permissions });
    });
    return text;
  }

  /** The same with a customer, so that the card can be saved. */
  async createCustomerPayable(newRequest: Parameters<VaultTestEnvironment['createPayable']>[0] = {}): Promise<Payable> {
    const payable = await this.createPayable({ ...newRequest, generateRemoteToken: false });
    await this.database.transact(payable.scope, async (tx) => {
      const locked = (await lockIntent(tx, payable.id))!;
      const { id: customerId } = await new Customers().create(tx, {});
      const customer = { customerId };
      const intent = { ...locked.intent, details: { ...locked.intent.details, customer } };
      await commitIntent(tx, locked, { intent, events: [], entries: [], webhookEvents: [], transactions: [] });
    });
    return { ...payable, secret: await this.refreshSecret(payable) };
  }

  /** Replaces the secret of an intent as its integrator does: all earlier ones are void. */
  async replaceSecret({ id, scope }: Pick<Payable, 'id' | 'scope'>): Promise<void> {
    const caller = { permissions: new Set(['payments.online'] as const) };
    await this.database.transact(scope, (tx) => this.intents.refreshSecret(tx, caller, id));
  }

  /** The secret of a page of an intent, for another try. */
  async refreshSecret({ id, scope }: Pick<Payable, 'id' | 'scope'>): Promise<string> {
    const view = await this.database.transact(scope, (tx) => this.intents.refreshSecretPublic(tx, id));
    return view.intent.clientSecret!;
  }

  /** Posts as a payer's browser does. Each request has its own address. */
  postJson(path: string, body: unknown, { secret = null, headers = {}, at = this.#vaults[0]! }: VaultRequest = {}) {
    this.#clients += 1;
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(payload)}`,
      'x-forwarded-for': `10.0.${this.#clients >> 8}.${this.#clients & 255}`,
      'user-agent': 'a browser',
      ...(secret !== null && { 'client-session-secret': secret }),
      ...headers,
    };
    const { hostname, port } = new URL(at.url);
    return new Promise<VaultResponse>((resolve, reject) => {
      const asking = request({ hostname, port, method: 'POST', path, headers: all, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as VaultResponse['body'];
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      asking.on('error', reject);
      asking.end(payload);
    });
  }

  /** Submits a card; by default one that is approved. */
  payByCard(
    { secret }: Pick<Payable, 'secret'>,
    more: Readonly<Record<string, unknown>> = {},
    sent: VaultRequest = {},
  ) {
    return this.postJson('/client/payments', { ...CARD_BODY, ...more }, { secret, ...sent });
  }

  /** Returns from the issuer's page, which approves unless stated otherwise. */
  completeChallenge(
    { secret }: Pick<Payable, 'secret'>,
    transactionId: unknown,
    { paRes = 'Y', ...sent }: CompletionRequest = {},
  ) {
    return this.postJson('/client/payments/challenge', { paRes, transactionId }, { secret, ...sent });
  }

  /** The status of an intent and its events: `Captured Captured`. */
  async readState({ id, scope }: Payable): Promise<string> {
    return this.database.read(scope, async (reader) => {
      const intent = await findIntent(reader, id);
      const events = await listPaymentEvents(reader, id);
      return [intent?.status, ...events.map(({ eventType }) => eventType)].join(' ');
    });
  }

  /** The acquirer's bookings for the intent: `2000 Approved`. */
  async listBookings({ id, scope }: Payable): Promise<string[]> {
    const rows = await this.queryRows<{ reference: string }>(
      `select reference from acquirer_calls where account_id = $1 and intent_id = $2 and kind = 'Authorise'
       order by created_at`,
      [scope.accountId, id],
    );
    return rows.flatMap(({ reference }) => {
      const call = this.outside.acquirer.books.findCall(reference);
      return call === null ? [] : [`${call.amount.value} ${call.isReversed ? 'Reversed' : call.outcome}`];
    });
  }

  /** The cards of an intent's attempts: `Stored number`, `Erased none`. */
  async listStored({ id, scope }: Payable): Promise<string[]> {
    const rows = await this.queryRows<{ state: string; has_number: boolean }>(
      `select s.state, n.card_id is not null as has_number from saved_cards s
       join online_attempts a on a.account_id = $1 and a.card_id = s.id
       left join vault.card_numbers n on n.account_id = $1 and n.card_id = s.id
       where s.account_id = $1 and a.intent_id = $2 order by s.created_at`,
      [scope.accountId, id],
    );
    return rows.map(({ state, has_number }) => `${state} ${has_number ? 'number' : 'none'}`);
  }

  async findCard({ id, scope }: Payable): Promise<PaymentMethodId> {
    const [row] = await this.queryRows<{ card_id: PaymentMethodId }>(
      'select card_id from online_attempts where account_id = $1 and intent_id = $2',
      [scope.accountId, id],
    );
    return row!.card_id;
  }

  /** The card that was stored last for a setup intent. */
  async findSetupCard(id: string): Promise<PaymentMethodId> {
    const [row] = await this.queryRows<{ id: PaymentMethodId }>(
      'select id from saved_cards where account_id = $1 and setup_intent_id = $2 order by created_at desc',
      [this.sandbox.accountId, id],
    );
    return row!.id;
  }

  /** Replaces the rules for the acquirer's next calls. */
  setRules(...rules: AcquirerRule[]): void {
    this.outside.acquirerSimulator.rules.replaceRules(rules);
  }

  /** Advances the clocks of the sandbox and its acquirer, and runs the due timers, as a worker would. */
  async advanceTime(byMs: number): Promise<void> {
    await this.outside.clock.advanceBy(byMs);
    const advance = (await beginAdvance(this.database, this.sandbox, 10_000))!;
    if (!(await applyClockStep(this.database, advance, byMs))) throw new Error('another advance moves the clock');
    await endAdvance(this.database, advance);
    await this.runTimers();
  }

  async runTimers(): Promise<void> {
    const queue = new TimerQueue(this.database);
    const parts = { database: this.database, accounts: this.#accounts, settings: this.#settings };
    const effects = createTimerEffects({
      ...{ database: this.database, queue, intents: this.intents, settings: this.#settings },
      holds: new Holds(this.#settings),
      setups: this.setups,
      sessions: new TerminalSessions(this.#accounts, this.#settings),
      calls: new AcquirerCalls({ ...parts, acquirers: { find: () => this.#acquirer } }),
      accounts: this.#accounts,
      acquirers: { find: () => null },
    });
    for (;;) {
      const claimed = await queue.claim(this.sandbox, WORKER_TIMER_KINDS, { limit: 10, leaseMs: 30_000 });
      if (claimed.length === 0) return;
      for (const timer of claimed) await effects[timer.kind as keyof typeof effects](timer);
    }
  }

  /** Reads the database directly, schema vault included. */
  async queryRows<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.#owner ??= await this.testDatabase.open({ url: this.testDatabase.ownerUrl });
    return this.#owner.readSystem((reader) => reader.query<Row>(defineStatement('test_look', sql), values));
  }

  /** Makes the server write its memory to its files. */
  async checkpoint(): Promise<void> {
    await this.queryRows('select 1 as one');
    await this.#owner?.dataSource.query('checkpoint');
  }

  #owner: Database | null = null;
}

const CARD_BODY = { cardNumber: APPROVED_CARD, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' } as const;
