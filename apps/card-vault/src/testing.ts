import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import type { Environment, PaymentIntentId, PaymentMethodId, Scope, SetupIntentId } from '@pos/core/identity';
import { newId } from '@pos/core/ids';
import { money } from '@pos/core/money';
import { type Permission, PERMISSIONS, ROLES } from '@pos/core/permissions';
import { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import { Customers } from '@pos/payments/customers';
import { Holds } from '@pos/payments/holds';
import { type PaymentIntentRequest, PaymentIntents } from '@pos/payments/payment-intents';
import { SetupIntents, type SetupIntentRequest } from '@pos/payments/setup-intents';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from '@pos/payments/settings';
import { TerminalSessions } from '@pos/payments/terminal-sessions';
import { createIntentRequest } from '@pos/payments/testing-wishes';
import { WORKER_TIMER_KINDS, createTimerEffects } from '@pos/payments/timers';
import type { AcquirerRule } from '@pos/sandbox/acquirer-rules';
import { serveAcquirer } from '@pos/sandbox/acquirer-grpc-server';
import { ManualClock } from '@pos/sandbox/clock';
import { acquirerForTest } from '@pos/sandbox/testing';
import { readConfig } from '@pos/service-kit/config';
import { openLog } from '@pos/service-kit/log';
import { LogLines } from '@pos/service-kit/log-lines';
import { createAccount } from '@pos/store/accounts';
import { insertApiKey } from '@pos/store/api-keys';
import { beginAdvance, endAdvance, applyClockStep } from '@pos/store/clock';
import type { Database } from '@pos/store/database';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrate';
import { findIntent, lockIntent, listPaymentEvents, updateIntent } from '@pos/store/payment-intents';
import { defineStatement } from '@pos/store/statement';
import {
  createTestDatabase,
  createTestScope,
  TEST_SECRETS,
  type TestDatabase,
  readTestServer,
} from '@pos/store/testing';
import { TimerQueue } from '@pos/store/timers';
import { bootVault, type RunningVault } from './boot.js';
import { Config } from './config.js';

/** One answer as it came over the socket. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a submission carries beside its body. */
export interface Sent {
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: RunningVault;
}

type Completion = Sent & { readonly paRes?: string };

/** A payment intent that somebody may pay now, or a setup intent that waits for a card. */
export interface Payable<Id extends string = PaymentIntentId> {
  readonly id: Id;
  readonly secret: string;
  readonly scope: Scope;
}

export const APPROVED_CARD = '4456530000091014';
const MERCHANT = 'merchant-vault';
/** Long enough for a busy machine; a story about silence takes a vault with a short one. */
const DEADLINE_MS = 20_000;
const SHORT_DEADLINE_MS = 500;

/** A master key of a test. */
export function masterKey(id: string, fill: number): string {
  return `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
}

/** The vault on a real socket, with a database of its own and the simulated acquirer; its clock moves when told to. */
export class VaultWorld {
  readonly sandbox: Scope;
  readonly production: Scope;
  readonly #log = new LogLines();
  readonly lines: readonly string[] = this.#log.lines;
  readonly #accounts = new AccountCache();
  readonly #settings: PaymentSettings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    hasProductionAcquirer: false,
    acquirerDeadlineMs: DEADLINE_MS,
  };
  readonly intents = new PaymentIntents(this.#accounts);
  readonly setups = new SetupIntents(this.#accounts);
  #vaults: RunningVault[] = [];
  #clients = 0;

  private constructor(
    readonly place: TestDatabase,
    readonly outside: ReturnType<typeof acquirerForTest> & { readonly clock: ManualClock },
    private readonly server: Server,
    readonly acquirerAddress: string,
    private readonly acquirer: AcquirerClient,
  ) {
    this.sandbox = createTestScope();
    this.production = { ...this.sandbox, environment: 'production' };
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<VaultWorld> {
    const place = await createTestDatabase();
    const clock = new ManualClock(new Date());
    const outside = { ...acquirerForTest({ clock }), clock };
    const server = new Server();
    serveAcquirer(server, { door: outside.door, clock, stepUpUrl: 'http://127.0.0.1/challenge' });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, opened) => {
        if (error === null) resolve(opened);
        else reject(error);
      });
    });
    const address = `127.0.0.1:${port}`;
    const world = new VaultWorld(place, outside, server, address, new AcquirerClient(address));
    await createAccount(place.database, {
      id: world.sandbox.accountId,
      name: 'The Corner Table Ltd',
      tradingName: 'The Corner Table',
      locationId: newId('location', 'sandbox', randomBytes(16)),
      merchantId: MERCHANT,
      currencies: ['GBP', 'EUR'],
      settings: {},
      createdAt: new Date(),
      cardAttestationUntil: new Date(Date.now() + 365 * 86_400_000),
    });
    await world.another(settings);
    return world;
  }

  /** The settings of a vault process of this world. */
  env(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      DATABASE_URL: buildRoleUrl(this.place.ownerUrl, VAULT_ROLE, readTestServer().vaultPassword),
      ENCRYPTION_KEY: TEST_SECRETS.encryptionKey.toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      VAULT_KEYS: masterKey('first', 1),
      HTTP_PORT: '0',
      GRPC_PORT: '0',
      NODE_ENV: 'test',
      TRUSTED_PROXIES: '127.0.0.1',
      ACQUIRER_ADDRESS: this.acquirerAddress,
      ACQUIRER_DEADLINE_MS: String(DEADLINE_MS),
      ...settings,
    };
  }

  /** One more process of the vault; the first is used unless another is named. */
  async another(settings: Readonly<Record<string, string>> = {}): Promise<RunningVault> {
    const log = openLog({ app: 'card-vault', level: 'debug', write: this.#log.write });
    const vault = await bootVault(readConfig(Config, this.env(settings)), log);
    this.#vaults.push(vault);
    return vault;
  }

  /** A process that waits for the acquirer but a moment. */
  hasty(): Promise<RunningVault> {
    return this.another({ ACQUIRER_DEADLINE_MS: String(SHORT_DEADLINE_MS) });
  }

  async close(): Promise<void> {
    for (const vault of this.#vaults) await vault.close();
    this.acquirer.close();
    this.server.forceShutdown();
    await this.place.close();
    this.#log.requireClean();
  }

  get database(): Database {
    return this.place.database;
  }

  /** A payment intent over £20.00 with a fresh secret. */
  async payable(
    wish: Partial<PaymentIntentRequest> & { total?: number; environment?: Environment } = {},
  ): Promise<Payable> {
    const { total = 2_000, environment = 'sandbox', ...more } = wish;
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
  async setup(wish: Partial<SetupIntentRequest> = {}): Promise<Payable<SetupIntentId>> {
    const scope = this.sandbox;
    const { setup } = await this.database.transact(scope, (tx) => this.setups.create(tx, { ...SETUP, ...wish }));
    return { id: setup.id, secret: setup.clientSecret!, scope };
  }

  /** Another try for the card of a setup. */
  async refreshSetup({ id, scope }: Pick<Payable<SetupIntentId>, 'id' | 'scope'>): Promise<string> {
    const view = await this.database.transact(scope, (tx) => this.setups.refreshSecretPublic(tx, id));
    return view.setup.clientSecret!;
  }

  /** `Authorized Authorized`: the status of a setup, and what happened. */
  async setupStanding(id: string): Promise<string> {
    const view = await this.database.read(this.sandbox, (reader) => this.setups.get(reader, id));
    return [view.setup.status, ...view.events.map(({ eventType }) => eventType)].join(' ');
  }

  /** The cards that were kept for a setup: `Stored number`, `Erased none`. */
  async keptOfSetup(id: string): Promise<string[]> {
    const rows = await this.look<{ state: string; has_number: boolean }>(
      `select s.state, n.card_id is not null as has_number from saved_cards s
       left join vault.card_numbers n on n.account_id = $1 and n.card_id = s.id
       where s.account_id = $1 and s.setup_intent_id = $2 order by s.created_at`,
      [this.sandbox.accountId, id],
    );
    return rows.map(({ state, has_number }) => `${state} ${has_number ? 'number' : 'none'}`);
  }

  /** A key of the account's sandbox. */
  async key(permissions: readonly Permission[] = PERMISSIONS, scope: Scope = this.sandbox): Promise<string> {
    const text = `sk_${scope.environment === 'sandbox' ? 'sandbox' : 'prod'}_${randomBytes(32).toString('base64url')}`;
    await this.database.transact(scope, async (tx) => {
      await insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'test', permissions });
    });
    return text;
  }

  /** The same, naming a customer, so that the save box counts. */
  async payableByCustomer(wish: Parameters<VaultWorld['payable']>[0] = {}): Promise<Payable> {
    const payable = await this.payable({ ...wish, generateRemoteToken: false });
    await this.database.transact(payable.scope, async (tx) => {
      const locked = (await lockIntent(tx, payable.id))!;
      const { id: customerId } = await new Customers().create(tx, {});
      const customer = { customerId };
      const intent = { ...locked.intent, details: { ...locked.intent.details, customer } };
      await updateIntent(tx, { intent, events: [], entries: [], tells: [], transactions: [] }, locked);
    });
    return { ...payable, secret: await this.refresh(payable) };
  }

  /** Another try. */
  async refresh({ id, scope }: Pick<Payable, 'id' | 'scope'>): Promise<string> {
    const view = await this.database.transact(scope, (tx) => this.intents.refreshSecretPublic(tx, id));
    return view.intent.clientSecret!;
  }

  /** Posts as a payer's browser does, each from an address of its own. */
  post(path: string, body: unknown, { secret = null, headers = {}, at = this.#vaults[0]! }: Sent = {}) {
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
    return new Promise<Answered>((resolve, reject) => {
      const asking = request({ hostname, port, method: 'POST', path, headers: all, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Answered['body'];
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      asking.on('error', reject);
      asking.end(payload);
    });
  }

  /** Submits a card; the plain approving one unless said otherwise. */
  pay({ secret }: Pick<Payable, 'secret'>, more: Readonly<Record<string, unknown>> = {}, sent: Sent = {}) {
    return this.post('/client/payments', { ...CARD, ...more }, { secret, ...sent });
  }

  /** Comes back from the issuer's page, which let him pass unless said otherwise. */
  complete({ secret }: Pick<Payable, 'secret'>, transactionId: unknown, { paRes = 'Y', ...sent }: Completion = {}) {
    return this.post('/client/payments/challenge', { paRes, transactionId }, { secret, ...sent });
  }

  /** `Captured Captured`: the status, and what happened. */
  async standing({ id, scope }: Payable): Promise<string> {
    return this.database.read(scope, async (reader) => {
      const intent = await findIntent(reader, id);
      const events = await listPaymentEvents(reader, id);
      return [intent?.status, ...events.map(({ eventType }) => eventType)].join(' ');
    });
  }

  /** What of the intent's money the acquirer has in its books: `2000 Approved`. */
  async booked({ id, scope }: Payable): Promise<string[]> {
    const rows = await this.look<{ reference: string }>(
      `select reference from acquirer_calls where account_id = $1 and intent_id = $2 and kind = 'Authorise'
       order by created_at`,
      [scope.accountId, id],
    );
    return rows.flatMap(({ reference }) => {
      const call = this.outside.acquirer.books.find(reference);
      return call === null ? [] : [`${call.amount.value} ${call.isReversed ? 'Reversed' : call.outcome}`];
    });
  }

  /** The cards that came with an intent's attempts: `Stored number`, `Erased none`. */
  async kept({ id, scope }: Payable): Promise<string[]> {
    const rows = await this.look<{ state: string; has_number: boolean }>(
      `select s.state, n.card_id is not null as has_number from saved_cards s
       join online_attempts a on a.account_id = $1 and a.card_id = s.id
       left join vault.card_numbers n on n.account_id = $1 and n.card_id = s.id
       where s.account_id = $1 and a.intent_id = $2 order by s.created_at`,
      [scope.accountId, id],
    );
    return rows.map(({ state, has_number }) => `${state} ${has_number ? 'number' : 'none'}`);
  }

  async cardOf({ id, scope }: Payable): Promise<PaymentMethodId> {
    const [row] = await this.look<{ card_id: PaymentMethodId }>(
      'select card_id from online_attempts where account_id = $1 and intent_id = $2',
      [scope.accountId, id],
    );
    return row!.card_id;
  }

  /** The card that was last kept for a setup. */
  async cardOfSetup(id: string): Promise<PaymentMethodId> {
    const [row] = await this.look<{ id: PaymentMethodId }>(
      'select id from saved_cards where account_id = $1 and setup_intent_id = $2 order by created_at desc',
      [this.sandbox.accountId, id],
    );
    return row!.id;
  }

  /** Has the acquirer do something to the next calls. */
  rule(...rules: AcquirerRule[]): void {
    this.outside.door.rules.replace(rules);
  }

  /** Lets time pass for the sandbox and its acquirer, and has what comes due worked, as a worker would. */
  async elapse(byMs: number): Promise<void> {
    await this.outside.clock.advance(byMs);
    const advance = (await beginAdvance(this.database, this.sandbox, 10_000))!;
    if (!(await applyClockStep(this.database, advance, byMs))) throw new Error('somebody else moves the clock');
    await endAdvance(this.database, advance);
    await this.work();
  }

  async work(): Promise<void> {
    const queue = new TimerQueue(this.database);
    const parts = { database: this.database, accounts: this.#accounts, settings: this.#settings };
    const effects = createTimerEffects({
      ...{ database: this.database, queue, intents: this.intents, settings: this.#settings },
      holds: new Holds(this.#settings),
      setups: this.setups,
      sessions: new TerminalSessions(this.#accounts, this.#settings),
      calls: new AcquirerCalls({ ...parts, acquirer: this.acquirer }),
      accounts: this.#accounts,
      acquirerOf: () => null,
    });
    for (;;) {
      const claimed = await queue.claim(this.sandbox, WORKER_TIMER_KINDS, { limit: 10, leaseMs: 30_000 });
      if (claimed.length === 0) return;
      for (const timer of claimed) await effects[timer.kind as keyof typeof effects](timer);
    }
  }

  /** Looks into the database behind the app's back, schema vault included. */
  async look<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.#owner ??= await this.place.open({ url: this.place.ownerUrl });
    return this.#owner.readSystem((reader) => reader.query<Row>(defineStatement('test_look', sql), values));
  }

  /** Has the server write all it holds in memory to its files. */
  async checkpoint(): Promise<void> {
    await this.look('select 1 as one');
    await this.#owner?.dataSource.query('checkpoint');
  }

  #owner: Database | null = null;
}

const CARD = { cardNumber: APPROVED_CARD, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' } as const;

const SETUP: SetupIntentRequest = {
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'Whoever does not come pays.',
  intendedAmount: money(2_500, 'GBP'),
  reference: 'Saturday, table 7',
  description: null,
  paymentMethods: ['Card'],
  paymentSource: 'api',
  expireAt: null,
  metadata: {},
  savedCard: {},
  details: { config: DEFAULT_INTENT_CONFIG },
};
