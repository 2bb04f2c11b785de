import type { EposTransport as Family } from '@pos/core/account';
import type { Scope } from '@pos/core/identity';
import { capabilitiesOf, serves } from '@pos/core/epos-capability';
import { toStorable } from '@pos/core/storable-text';
import type { AccountCache } from '@pos/payments/accounts';
import { capabilityOf, isEposDataRead } from '@pos/rest-contracts/epos-data';
import type { Egress } from '@pos/service-kit/egress';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import type { EposIntegration } from '@pos/store/epos-integrations';
import { setTimeout as pause } from 'node:timers/promises';
import { DialledEpos } from './dialled-epos.js';
import type { EposChannels } from './epos-channels.js';
import type { EposForwards } from './epos-forwards.js';
import { EposRouteBook, type EposRoutes } from './epos-routes.js';
import type { EposStreams } from './epos-streams.js';
import { type OrderParts, OrdersEpos } from '../orders/orders-epos.js';
import { RestEpos } from './rest-epos.js';
import {
  type DataOutcome,
  type DataResult,
  type DataTransport,
  type DataWay,
  type DataWish,
  Deadline,
  type EposOutcome,
  type EposResult,
  type EposTransport,
  type EposWay,
  type EposWish,
  isDataWay,
  noAnswer,
  type NoOutcome,
  notSent,
  TABLES_CALLS,
} from './tables-call.js';

/** Between the tries of a read. */
const READ_PAUSES_MS = [500, 1_500] as const;
/** The share of the longest call limit that each kind of call of the EPOS Data API gets: 10 s and 20 s of 30. */
const DATA_SHARES = { read: 1 / 3, write: 2 / 3 } as const;

/** A call on its way: what is asked, how long, and which ways an account's routes leave open for it. */
interface Errand<Outcome> {
  readonly scope: Scope;
  readonly isRead: boolean;
  readonly ways: (routes: EposRoutes) => readonly Way<Outcome>[];
  readonly deadline: Deadline;
}

interface Way<Outcome> {
  readonly way: EposWay | DataWay;
  readonly connectionId: string;
  readonly go: () => Promise<Outcome>;
}

interface Ended<Outcome> {
  readonly outcome: Outcome | NoOutcome;
  readonly taken: Way<Outcome> | null;
}

/**
 * The only way to an EPOS. It takes the newest live connection, here or at another gateway, then the registered address;
 * `notSent` goes on to the next way, anything else is the answer. Reads are tried three times, writes once.
 */
export class EposRouter {
  readonly #book: EposRouteBook;
  #isDraining = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly streams: EposStreams;
      readonly forwards: EposForwards;
      readonly channels: EposChannels;
      readonly egress: Egress;
      /** EPOSes of sandbox accounts are called without TLS too. */
      readonly allowsPlaintext: boolean;
      readonly orders: OrderParts;
      readonly gatewayId: string;
      /** The longest that one call may take. */
      readonly callLimitMs: number;
      readonly log: Log;
      /** How long the way to an EPOS is remembered without a sign of a change. */
      readonly routesFreshMs?: number;
    },
  ) {
    this.#book = new EposRouteBook({
      ...parts,
      onRegistration: (scopeName) => {
        void parts.channels.release(scopeName);
      },
    });
    parts.streams.onChange = (scope) => {
      this.#book.drop(scope);
    };
  }

  /**
   * Makes a call of the pay-at-table contract; over a way of the EPOS Data API orders stand for sessions. The record of a
   * stored payment never takes that way: one that belongs on an order is asked for by `ask`, and a repeat in the other
   * family would be booked twice (ADR 0028). Never rejects for what an EPOS does; rejects when the database cannot be asked
   * for the way.
   */
  async call(wish: EposWish, wanted: EposWay | DataWay | 'auto' = 'auto'): Promise<EposResult> {
    const startedAt = performance.now();
    const { isRead } = TABLES_CALLS[wish.call.$case];
    const deadline = Deadline.in(wish.waitMs);
    const errand: Errand<EposOutcome> = {
      ...{ scope: wish.scope, isRead, deadline },
      ways: (routes) =>
        this.#tablesWays(routes, wanted)
          .filter(({ way }) => wish.fence === null || way !== 'orders')
          .map((transport) => this.#tablesWay(transport, wish, deadline)),
    };
    const { outcome, taken } = await this.#run(errand);
    const result = { outcome, way: tablesWayOf(taken), connectionId: taken?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.code : undefined;
    this.#tell(wish.scope, { call: wish.call.$case, code, result, startedAt });
    return result;
  }

  /** Makes a call of the EPOS Data API, if the EPOS has registered that it can do it. Rejects as `call` does. */
  async ask(wish: DataWish, wanted: DataWay | 'auto' = 'auto'): Promise<DataResult> {
    const startedAt = performance.now();
    const deadline = Deadline.in(wish.waitMs);
    const errand: Errand<DataOutcome> = {
      ...{ scope: wish.scope, isRead: isEposDataRead(wish.name), deadline },
      ways: (routes) =>
        this.#dataWays(routes, wish, wanted).map((transport) => this.#dataWay(transport, wish, deadline)),
    };
    const { outcome, taken } = await this.#run(errand);
    const result = { outcome, way: dataWayOf(taken), connectionId: taken?.connectionId ?? '' };
    const code = outcome.outcome === 'refused' ? outcome.error.errorType : undefined;
    this.#tell(wish.scope, { call: wish.name, code, result, startedAt });
    return result;
  }

  /** Makes the call on one connection of this gateway, for another gateway. Never forwards. */
  async callHere(wish: EposWish, target: { readonly connectionId: string }): Promise<EposResult> {
    const connection = this.parts.streams.findTables(target.connectionId);
    const objection = this.#notHere(connection);
    if (objection !== null || connection === null) return { outcome: objection ?? NOT_HERE, ...NO_WAY };
    const { way, connectionId, go } = this.#tablesWay(connection, wish, Deadline.in(wish.waitMs));
    return { outcome: await go(), way: tablesWayOf({ way }), connectionId };
  }

  /** The same of the EPOS Data API. */
  async askHere(wish: DataWish, target: { readonly connectionId: string }): Promise<DataResult> {
    const connection = this.parts.streams.findData(target.connectionId);
    const objection = this.#notHere(connection);
    if (objection !== null || connection === null) return { outcome: objection ?? NOT_HERE, ...NO_WAY };
    const { way, connectionId, go } = this.#dataWay(connection, wish, Deadline.in(wish.waitMs));
    return { outcome: await go(), way: dataWayOf({ way }), connectionId };
  }

  /** Takes no new calls; those that run go on. */
  drain(): void {
    this.#isDraining = true;
  }

  #notHere(connection: unknown): NoOutcome | null {
    if (this.#isDraining) return DRAINING;
    return connection === null ? NOT_HERE : null;
  }

  async #run<Outcome extends EposOutcome | DataOutcome>(errand: Errand<Outcome>): Promise<Ended<Outcome>> {
    const pauses = errand.isRead ? READ_PAUSES_MS : [];
    let ended = await this.#once(errand);
    for (const pauseMs of pauses) {
      // Over orders, each call that it became was tried three times already.
      const isTried = ended.taken?.way === 'orders' || !isSilence(ended.outcome);
      if (isTried || errand.deadline.leftMs() <= pauseMs || this.#isDraining) break;
      await pause(pauseMs);
      ended = await this.#once(errand);
    }
    return ended;
  }

  async #once<Outcome extends EposOutcome | DataOutcome>(errand: Errand<Outcome>): Promise<Ended<Outcome>> {
    if (this.#isDraining) return { outcome: DRAINING, taken: null };
    const { scope, ways } = errand;
    const known = await this.#book.find(scope);
    const first = await through(ways(known), known.isFresh);
    if (isSound(first.outcome)) return first;
    this.#book.drop(scope);
    if (known.isFresh || !leadsNowhere(first.outcome)) return first;
    const fresh = await this.#book.find(scope);
    // A connection that was not there a moment ago is not asked again.
    const gone = first.taken?.connectionId ?? '';
    const others = ways(fresh).filter(({ connectionId }) => connectionId === '' || connectionId !== gone);
    return others.length === 0 ? first : through(others, true);
  }

  #tablesWay(transport: EposTransport, wish: EposWish, deadline: Deadline): Way<EposOutcome> {
    const limitMs = this.parts.callLimitMs * TABLES_CALLS[wish.call.$case].limitShare;
    const go = async () => receiveOutcome(await transport.call(wish, deadline.forCallOf(limitMs)), wish);
    return { way: transport.way, connectionId: transport.connectionId, go };
  }

  #dataWay(transport: DataTransport, wish: DataWish, deadline: Deadline): Way<DataOutcome> {
    const limitMs = this.parts.callLimitMs * DATA_SHARES[isEposDataRead(wish.name) ? 'read' : 'write'];
    const go = async () => receiveOutcome(await transport.call(wish, deadline.forCallOf(limitMs)), wish);
    return { way: transport.way, connectionId: transport.connectionId, go };
  }

  #tablesWays(routes: EposRoutes, wanted: EposWay | DataWay | 'auto'): EposTransport[] {
    const { database, gatewayId, streams, forwards, channels } = this.parts;
    const { family, live, integrations } = routes;
    if (wanted !== 'auto' && isDataWay(wanted)) return this.#ordersWays(routes, wanted);
    const open = live.flatMap((connection): EposTransport[] => {
      const way = WAYS_OF_KINDS[connection.kind];
      if (way === null || !isMeant(way, wanted, family)) return [];
      if (connection.gatewayId !== gatewayId) return [forwards.to(connection, way)];
      const held = streams.findTables(connection.connectionId);
      return held === null ? [] : [held];
    });
    const dialled = integrations
      .filter(({ kind }) => kind === 'grpc' && isMeant('dialled', wanted, family))
      .map((integration) => new DialledEpos({ database, channels, integration }));
    const orders = isMeant('orders', wanted, family) ? this.#ordersWays(routes, 'auto') : [];
    return [...open, ...dialled, ...orders];
  }

  /** The mapping of orders to sessions, if enough is registered for it where it can be reached now. */
  #ordersWays({ live, integrations }: EposRoutes, way: DataWay | 'auto'): EposTransport[] {
    const hasSocket = live.some(({ kind }) => kind === 'epos-ws');
    const reached = integrations.filter(
      ({ kind }) => (kind === 'rest' && way !== 'dataSocket') || (kind === 'ws' && way !== 'rest' && hasSocket),
    );
    const capabilities = new Set(reached.flatMap((each) => capabilitiesOf(each.capabilities)));
    if (!serves(capabilities, 'PayAtTable')) return [];
    const ask = async (wish: DataWish): Promise<DataOutcome> => (await this.ask(wish, way)).outcome;
    return [new OrdersEpos({ ...this.parts.orders, asking: { capabilities, ask, isRemembered: way === 'auto' } })];
  }

  /** The open socket first, if the call is registered for it; else the address, if it is registered there. */
  #dataWays({ live, integrations }: EposRoutes, wish: DataWish, wanted: DataWay | 'auto'): DataTransport[] {
    const { database, gatewayId, streams, forwards, egress, allowsPlaintext } = this.parts;
    const offers = integrations.filter((integration) => isRegistered(integration, wish));
    const sockets = offers.some(({ kind }) => kind === 'ws') && wanted !== 'rest' ? live : [];
    const open = sockets.flatMap((connection): DataTransport[] => {
      if (connection.kind !== 'epos-ws') return [];
      if (connection.gatewayId !== gatewayId) return [forwards.toData(connection)];
      const held = streams.findData(connection.connectionId);
      return held === null ? [] : [held];
    });
    const called = offers
      .filter(({ kind }) => kind === 'rest' && wanted !== 'dataSocket')
      .map((integration) => new RestEpos({ database, egress, integration, allowsPlaintext }));
    return [...open, ...called];
  }

  #tell(
    { accountId }: Scope,
    told: {
      readonly call: string;
      readonly code: string | undefined;
      readonly result: EposResult | DataResult;
      readonly startedAt: number;
    },
  ): void {
    const { outcome, way, connectionId } = told.result;
    this.parts.log.info('epos.called', {
      account_id: accountId,
      call: told.call,
      way,
      connection_id: connectionId,
      outcome: outcome.outcome,
      ...(told.code !== undefined && { code: told.code }),
      ...('reason' in outcome && { reason: outcome.reason }),
      took_ms: Math.round(performance.now() - told.startedAt),
    });
  }
}

const DRAINING = notSent('draining', 'the gateway is shutting down');
const NOT_HERE = notSent('noConnection', 'the connection is not held here');
const NO_WAY = { way: null, connectionId: '' } as const;

/** Takes the first way that sends the call. Of ways that were looked up earlier, one that is gone ends the list. */
async function through<Outcome extends EposOutcome | DataOutcome>(
  ways: readonly Way<Outcome>[],
  isFresh: boolean,
): Promise<Ended<Outcome>> {
  let ended: Ended<Outcome> = { outcome: notSent('noRoute', 'no EPOS is connected'), taken: null };
  for (const taken of ways) {
    const outcome = await taken.go();
    ended = { outcome, taken };
    if (outcome.outcome !== 'notSent' || outcome.why === 'fencedOff') break;
    if (!isFresh && leadsNowhere(outcome)) break;
  }
  return ended;
}

/**
 * The end of every transport: from here on each text of an answer can be stored (ADR 0056). The tester may also ask for an
 * answer to be lost.
 */
function receiveOutcome<Outcome extends EposOutcome | DataOutcome>(
  outcome: Outcome,
  { faults }: Pick<EposWish, 'faults'>,
): Outcome | NoOutcome {
  const isAnswer = outcome.outcome === 'answered' || outcome.outcome === 'refused';
  if (faults?.withholdAnswer === true && isAnswer) return noAnswer('the answer was withheld, as asked');
  return toStorable(outcome);
}

/** The EPOS has answered: its route is right. */
function isSound({ outcome }: EposOutcome | DataOutcome): boolean {
  return outcome === 'answered' || outcome === 'refused';
}

/** Nobody knows what became of it; a read may be made again. */
function isSilence(outcome: EposOutcome | DataOutcome): boolean {
  if (outcome.outcome === 'noAnswer') return true;
  return outcome.outcome === 'refused' && 'error' in outcome && outcome.error.errorType === 'UnexpectedError';
}

/** There was nothing at the end of the way, and maybe the EPOS is elsewhere by now. */
function leadsNowhere(outcome: EposOutcome | DataOutcome): boolean {
  return outcome.outcome === 'notSent' && outcome.why !== 'fencedOff' && outcome.why !== 'queueFull';
}

/** What is spoken on a kind of connection; null where it is not the pay-at-table contract. */
const WAYS_OF_KINDS = {
  machine: null,
  'epos-ws': null,
  'tables-ws': 'socket',
  'epos-grpc-stream': 'stream',
} as const;

const FAMILIES = {
  socket: 'tables-ws',
  stream: 'tables-grpc',
  dialled: 'tables-grpc',
  orders: 'epos-data',
} as const satisfies Record<EposWay, Family>;

/** Whether a way is the one that is wanted, or one that the account's setting lets serve. */
function isMeant(way: EposWay, wanted: EposWay | 'auto', family: Family): boolean {
  if (wanted !== 'auto') return way === wanted;
  return family === 'auto' || family === FAMILIES[way];
}

/** An unregistered capability is never called, even over a live socket. */
function isRegistered({ capabilities }: EposIntegration, { name, params }: DataWish): boolean {
  const event = typeof params['event'] === 'string' ? params['event'] : '';
  const needed = capabilityOf(name, event);
  return needed !== null && capabilitiesOf(capabilities).includes(needed);
}

function tablesWayOf(taken: { readonly way: EposWay | DataWay } | null): EposWay | null {
  return taken === null || isDataWay(taken.way) ? null : taken.way;
}

function dataWayOf(taken: { readonly way: EposWay | DataWay } | null): DataWay | null {
  return taken !== null && isDataWay(taken.way) ? taken.way : null;
}
