import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect } from '@jest/globals';
import { accountSettings, type AccountSettings } from '@pos/core/account';
import type { AcquirerCall } from '@pos/core/acquirer-call';
import type { Environment, Scope, TerminalId, TerminalSessionId } from '@pos/core/identity';
import { amountMovements } from '@pos/core/event';
import { newId } from '@pos/core/ids';
import { balances } from '@pos/core/ledger';
import { subtract } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intent';
import { ROLES } from '@pos/core/permissions';
import type { AcquirerPort } from '@pos/core/ports';
import type { Finding } from '@pos/core/reconciliation';
import { Refusal } from '@pos/core/refusal';
import { DAY_MS } from '@pos/core/timespan';
import { AcquirerBooks, memoryJournal } from '@pos/sandbox/acquirer-books';
import { Acquirer } from '@pos/sandbox/acquirer';
import { AcquirerDoor } from '@pos/sandbox/acquirer-door';
import { serveAcquirer } from '@pos/sandbox/acquirer-grpc-server';
import { AcquirerRules } from '@pos/sandbox/acquirer-rules';
import { wallClock } from '@pos/sandbox/clock';
import { Seed } from '@pos/sandbox/seed';
import { makeAccount } from '@pos/store/accounts';
import { callsOf, findCall } from '@pos/store/acquirer-calls';
import { accountNow, beginAdvance, endAdvance, raiseAndShift } from '@pos/store/clock';
import { openConnection } from '@pos/store/connections';
import type { Database, Reader, SnapshotReader, Tx } from '@pos/store/database';
import { verifyChain } from '@pos/store/chain-verification';
import { entriesOf } from '@pos/store/ledger';
import { findIntent, paymentEventsOf } from '@pos/store/payment-intents';
import { statement } from '@pos/store/statement';
import { findTerminal, insertTerminal, type Terminal } from '@pos/store/terminals';
import { freshDatabase, freshScope, type TestDatabase } from '@pos/store/testing';
import { LeaseLost, TimerQueue } from '@pos/store/timers';
import { EVENT_KINDS } from '@pos/core/event-kind';
import { randomBytes } from 'node:crypto';
import { Accounts } from './accounts.js';
import { AcquirerCalls } from './acquirer-calls.js';
import { AcquirerClient } from './acquirer-client.js';
import { Amounts } from './amounts.js';
import { Captures } from './captures.js';
import { GiveBack } from './give-back.js';
import { Holds } from './holds.js';
import { type IntentWish, PaymentIntents } from './payment-intents.js';
import { reconcile } from './reconcile.js';
import { Refunds } from './refunds.js';
import { Reversals } from './reversals.js';
import { SetupIntents } from './setup-intents.js';
import { DEFAULT_PAYMENT_SETTINGS, type PaymentSettings } from './settings.js';
import { TerminalSessions } from './terminal-sessions.js';
import { WORKER_TIMER_KINDS, workerEffects } from './timers.js';
import { intentWish } from './testing-wishes.js';
import { subscribe } from './webhooks.js';

export const FULL = { permissions: new Set(ROLES.full) } as const;

/** Everything that the use cases need, on a real database and a real socket to the simulated acquirer. */
export interface World {
  readonly place: TestDatabase;
  readonly database: Database;
  readonly door: AcquirerDoor;
  readonly acquirer: AcquirerClient;
  /** For what reconciles: production has none. */
  readonly acquirerOf: (environment: Environment) => AcquirerPort | null;
  /** Where the simulated acquirer listens, `host:port`. */
  readonly acquirerAddress: string;
  readonly settings: PaymentSettings;
  readonly accounts: Accounts;
  readonly intents: PaymentIntents;
  readonly amounts: Amounts;
  readonly holds: Holds;
  readonly captures: Captures;
  readonly refunds: Refunds;
  readonly reversals: Reversals;
  readonly setups: SetupIntents;
  readonly sessions: TerminalSessions;
  readonly calls: AcquirerCalls;
  readonly giveBack: GiveBack;
  readonly queue: TimerQueue;
  close(): Promise<void>;
}

/** An account with two machines at hand, subscribed to every kind of event; its clock shows noon. */
export interface Shop {
  readonly scope: Scope;
  readonly merchantId: string;
  readonly terminals: readonly [Terminal, Terminal];
}

const INQUIRY_MS = 5_000;
/** How long the acquirer is waited for: soon over where a story is about its silence, ample on a busy machine elsewhere. */
const PATIENCE_MS = { ruled: 400, free: 10_000 };

/** `patienceMs` is how long an acquirer without rules is waited for; one with rules is soon given up. */
export async function openWorld({ patienceMs = PATIENCE_MS.free } = {}): Promise<World> {
  const place = await freshDatabase({ poolMax: 30 });
  const clock = wallClock({ timeScale: 1, standingAt: null });
  const simulated = new Acquirer({ books: new AcquirerBooks(memoryJournal()), clock, seed: new Seed('payments') });
  const door = new AcquirerDoor({ acquirer: simulated, rules: new AcquirerRules(), clock });
  const server = new Server();
  serveAcquirer(server, { door, clock, stepUpUrl: 'http://127.0.0.1/challenge' });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, opened) => {
      if (error === null) resolve(opened);
      else reject(error);
    });
  });
  const acquirerAddress = `127.0.0.1:${port}`;
  const acquirer = new AcquirerClient(acquirerAddress);
  const { database } = place;
  const settings = {
    ...DEFAULT_PAYMENT_SETTINGS,
    inquiryIntervalMs: INQUIRY_MS,
    get acquirerDeadlineMs() {
      return door.rules.list().length > 0 ? PATIENCE_MS.ruled : patienceMs;
    },
  };
  const accounts = new Accounts();
  const calls = new AcquirerCalls({ database, acquirer, accounts, settings });
  return {
    ...{ place, database, door, acquirer, acquirerAddress, settings, accounts, calls },
    acquirerOf: (environment) => (environment === 'sandbox' ? acquirer : null),
    intents: new PaymentIntents(accounts),
    amounts: new Amounts(settings),
    holds: new Holds(settings),
    captures: new Captures(settings),
    refunds: new Refunds(settings),
    reversals: new Reversals(accounts, settings),
    setups: new SetupIntents(accounts),
    sessions: new TerminalSessions(accounts, settings),
    giveBack: new GiveBack({ database, calls, accounts, settings }),
    queue: new TimerQueue(database),
    close: async () => {
      acquirer.close();
      server.forceShutdown();
      await place.close();
    },
  };
}

export async function openShop(world: World, settings: Partial<AccountSettings> = {}): Promise<Shop> {
  const scope = freshScope();
  const merchantId = `m-${scope.accountId.slice(-12)}`;
  await makeAccount(world.database, {
    id: scope.accountId,
    name: 'The Corner Table Ltd',
    tradingName: 'The Corner Table',
    locationId: newId('location', 'sandbox', randomBytes(16)),
    merchantId,
    currencies: ['GBP', 'EUR'],
    settings: { ...accountSettings(settings), phoneNumber: '020 7946 0000' },
    createdAt: new Date(),
  });
  const first = await addTerminal(world, scope, '90000001');
  const second = await addTerminal(world, scope, '90000002');
  await world.database.transact(scope, (tx) =>
    subscribe(tx, { events: EVENT_KINDS, url: 'https://example.com/hook', description: null }),
  );
  const now = await world.database.read(scope, accountNow);
  const nextNoon = (Math.floor(now.getTime() / DAY_MS) + 1.5) * DAY_MS;
  await moveClock(world, scope, nextNoon - now.getTime());
  return { scope, merchantId, terminals: [first, second] };
}

async function addTerminal(world: World, scope: Scope, tid: string): Promise<Terminal> {
  return world.database.transact(scope, async (tx) => {
    const id: TerminalId = await tx.newId('terminal');
    await insertTerminal(tx, { id, tid, name: `machine ${tid}` });
    await openConnection(tx, {
      ...{ kind: 'machine', key: tid, connectionId: `stream ${tid}`, gatewayId: 'gateway' },
      ...{ gatewayAddress: '127.0.0.1:1', inUse: false },
    });
    return (await findTerminal(tx, id))!;
  });
}

/** Lets that much time pass for the sandbox, without anybody working what comes due. */
export async function moveClock(world: World, scope: Scope, byMs: number): Promise<void> {
  const advance = (await beginAdvance(world.database, scope, 10_000))!;
  expect(await raiseAndShift(world.database, advance, Math.round(byMs))).toBe(true);
  await endAdvance(world.database, advance);
}

const PASSES_MAX = 50;

/** Works what is due until nothing is, as a worker would. */
export async function work(world: World, scope: Scope): Promise<void> {
  const effects = workerEffects(world);
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const claimed = await world.queue.claim(scope, WORKER_TIMER_KINDS, { limit: 10, leaseMs: 30_000 });
    if (claimed.length === 0) return;
    for (const timer of claimed) {
      const effect = effects[timer.kind as keyof typeof effects];
      await effect(timer).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        throw new Error(`nobody else works here, and yet ${error.message}`);
      });
    }
  }
  throw new Error('there is no end to what is due');
}

/** Lets time pass, and has what comes due worked at its end. */
export async function elapse(world: World, scope: Scope, byMs: number): Promise<void> {
  await moveClock(world, scope, byMs);
  await work(world, scope);
}

const LANE = statement(
  'lane_bodies',
  `select e.body from deliveries d
   join events e on e.account_id = $1 and e.environment = $2 and e.id = d.event_id
   where d.account_id = $1 and d.environment = $2 and d.lane_key = $3 order by d.number`,
);

/** The bodies of a lane in its order. */
export async function toldOf(world: World, scope: Scope, lane: string): Promise<ToldEvent[]> {
  const rows = await world.database.read(scope, (reader) =>
    reader.query<{ body: Buffer }>(LANE, [scope.accountId, scope.environment, lane]),
  );
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as ToldEvent);
}

export interface ToldEvent {
  readonly id: string;
  readonly event: string;
  readonly accountId: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `Captured`, `signature_verification_required SignatureVerificationRequired`: what a subscriber hears, in short. */
export async function heardOf(world: World, scope: Scope, lane: string): Promise<string[]> {
  return (await toldOf(world, scope, lane)).map(({ event, data }) => {
    const kind = event.slice(event.indexOf('.') + 1);
    const state = String(data['state'] ?? data['paymentStatus']);
    return kind === 'status_updated' ? state : `${kind} ${state}`;
  });
}

export function readIntent(world: World, { scope }: Shop, id: string): Promise<PaymentIntent> {
  return world.database.read(scope, async (reader) => (await findIntent(reader, id))!);
}

export function readCall(world: World, { scope }: Shop, reference: string): Promise<AcquirerCall> {
  return world.database.read(scope, async (reader) => (await findCall(reader, reference))!);
}

/** The history of an intent as one word each. */
export async function historyOf(world: World, { scope }: Shop, id: PaymentIntent['id']): Promise<string[]> {
  const events = await world.database.read(scope, (reader) => paymentEventsOf(reader, id));
  return events.map(({ eventType }) => eventType);
}

const SUBJECTS = statement('intents_of', 'select id from payment_intents where account_id = $1 and environment = $2');
const TIMERS = statement(
  'timers_of',
  `select kind, subject from timers
   where account_id = $1 and environment = $2 and kind not in ('retention', 'reconciliation')
     and (kind = 'machine-approval') = $3
   order by kind, subject`,
);

/**
 * What falls due about payments; when the account forgets and checks its books is not among it, and the second look at what
 * a machine approved only when that is asked for.
 */
export async function timersOf(
  world: World,
  { scope }: Shop,
  { ofMachines = false }: { readonly ofMachines?: boolean } = {},
): Promise<string[]> {
  const rows = await world.database.read(scope, (reader) =>
    reader.query<{ kind: string; subject: string }>(TIMERS, [scope.accountId, scope.environment, ofMachines]),
  );
  return rows.map(({ kind, subject }) => `${kind} ${subject}`);
}

export function differences(world: World, { scope }: Shop): Promise<Finding[]> {
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  return reconcile({ database: world.database, acquirer: world.acquirer, accounts: world.accounts }, scope, span);
}

/** Every chain of the shop is whole, its books say what its figures say, and the acquirer's books agree. */
export async function expectSound(world: World, shop: Shop): Promise<void> {
  await world.database.readSnapshot(shop.scope, async (reader) => {
    const rows = await reader.query<{ id: PaymentIntent['id'] }>(SUBJECTS, [
      shop.scope.accountId,
      shop.scope.environment,
    ]);
    for (const { id } of rows) await expectSoundIntent(reader, id);
  });
  expect(await differences(world, shop)).toEqual([]);
}

const LISTED = statement(
  'listed_of_intent',
  `select coalesce(sum(amount + tips_amount + cashback_amount) filter (where type in ('Sale', 'Collection')), 0)::int as taken,
     coalesce(sum(amount + tips_amount + cashback_amount) filter (where type = 'Refund'), 0)::int as refunded
   from transactions where account_id = $1 and environment = $2 and intent_id = $3 and status = 'Authorized'`,
);

const AMOUNT_EVENTS = statement(
  'amount_events_of_intent',
  `select kind, convert_from(body, 'UTF8')::jsonb -> 'data' as data from events
   where account_id = $1 and environment = $2 and subject_id = $3 and kind like 'payment_intent.amount_%'
   order by number`,
);

/** Each capture and refund in the books was published, over its amount and once, whichever operation made it. */
async function expectAmountsPublished(reader: Reader, intent: PaymentIntent): Promise<void> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ kind: string; data: { amount: unknown } }>(AMOUNT_EVENTS, [
    accountId,
    environment,
    intent.id,
  ]);
  const published = rows.map(({ kind, data }) => ({ kind, amount: data.amount }));
  const booked = amountMovements(await entriesOf(reader, intent.id));
  expect([intent.id, published]).toEqual([intent.id, booked.map(({ kind, amount }) => ({ kind, amount }))]);
  const last = rows.at(-1)?.data;
  if (last !== undefined)
    expect(last).toMatchObject({ capturedAmount: intent.captured, refundedAmount: intent.refunded });
}

async function expectSoundIntent(reader: SnapshotReader, id: PaymentIntent['id']): Promise<void> {
  expect(await verifyChain(reader, id)).toEqual([]);
  const intent = (await findIntent(reader, id))!;
  const { card_hold: hold, card_receivable: receivable } = balances(await entriesOf(reader, id));
  const isUndone = intent.status === 'Reversed';
  const held = intent.status === 'Authorized' ? subtract(intent.authorized, intent.captured).value : 0;
  const kept = isUndone ? 0 : subtract(intent.captured, intent.refunded).value;
  expect([id, hold, receivable]).toEqual([id, held, kept]);
  const { accountId, environment } = reader.scope;
  const [listed] = await reader.query(LISTED, [accountId, environment, id]);
  expect([id, listed]).toEqual([id, { taken: isUndone ? 0 : intent.captured.value, refunded: intent.refunded.value }]);
  await expectAmountsPublished(reader, intent);
  const events = (await paymentEventsOf(reader, id)).map(({ eventType }) => eventType);
  const calls = await callsOf(reader, id);
  const taken = calls.filter(({ kind, outcome }) => kind === 'Authorise' && outcome === 'Approved');
  const isPaid = ['Authorized', 'Captured', 'Refunded'].includes(intent.status);
  if (isPaid) expect([id, taken.length]).toEqual([id, 1]);
  const captures = intent.details.captures.filter(({ status }) => status === 'Successful');
  const takings = events.filter((type) => type === 'Authorized' || type === 'Captured');
  expect(takings.length - captures.length).toBeLessThanOrEqual(1);
}

/** Does it in one transaction of the shop. */
export function act<T>(world: World, { scope }: Shop, task: (tx: Tx) => Promise<T>): Promise<T> {
  return world.database.transact(scope, task);
}

export async function createIntent(
  world: World,
  shop: Shop,
  wish: Partial<IntentWish> = {},
): Promise<PaymentIntent['id']> {
  const view = await act(world, shop, (tx) => world.intents.create(tx, FULL, intentWish(wish)));
  return view.intent.id;
}

/** The state of a session that a test looks at most. */
export async function sessionOf(world: World, { scope }: Shop, id: TerminalSessionId) {
  return world.database.read(scope, (reader) => world.sessions.get(reader, id));
}

/** The code of the refusal, or `done`. */
export async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
