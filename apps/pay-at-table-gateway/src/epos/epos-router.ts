import type { EposTransport as Family } from '@pos/core/account';
import type { Accounts } from '@pos/payments/accounts';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { setTimeout as pause } from 'node:timers/promises';
import { DialledEpos } from './dialled-epos.js';
import type { EposChannels } from './epos-channels.js';
import type { EposForwards } from './epos-forwards.js';
import { EposRouteBook, type EposRoutes } from './epos-routes.js';
import type { EposStreams } from './epos-streams.js';
import {
  Deadline,
  type EposOutcome,
  type EposResult,
  type EposTransport,
  type EposWay,
  type EposWish,
  notSent,
  TABLES_CALLS,
} from './tables-call.js';

/** Between the tries of a read. */
const READ_PAUSES_MS = [500, 1_500] as const;

/**
 * The only way to an EPOS. It takes the newest live stream, here or at another gateway, then the registered address;
 * `notSent` goes on to the next way, anything else is the answer. Reads are tried three times, writes once.
 */
export class EposRouter {
  readonly #book: EposRouteBook;
  #isDraining = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: Accounts;
      readonly streams: EposStreams;
      readonly forwards: EposForwards;
      readonly channels: EposChannels;
      readonly gatewayId: string;
      /** The longest that one call may take. */
      readonly callLimitMs: number;
      readonly log: Log;
      /** How long the way to an EPOS is remembered without a sign of a change. */
      readonly routesFreshMs?: number;
    },
  ) {
    this.#book = new EposRouteBook(parts);
    parts.streams.onChange = (scope) => {
      this.#book.drop(scope);
    };
  }

  /** Makes the call. Never rejects for what an EPOS does; rejects when the database cannot be asked for the way. */
  async call(wish: EposWish, wanted: EposWay | 'auto' = 'auto'): Promise<EposResult> {
    const startedAt = performance.now();
    const result = await this.#call(wish, wanted);
    const { outcome } = result;
    this.parts.log.info('epos.called', {
      account_id: wish.scope.accountId,
      call: wish.call.$case,
      way: result.way,
      connection_id: result.connectionId,
      outcome: outcome.outcome,
      ...(outcome.outcome === 'refused' && { code: outcome.code }),
      ...('reason' in outcome && { reason: outcome.reason }),
      took_ms: Math.round(performance.now() - startedAt),
    });
    return result;
  }

  /** Makes the call on one connection of this gateway, for another gateway. Never forwards. */
  async callHere(wish: EposWish, target: { readonly connectionId: string }): Promise<EposResult> {
    const stream = this.parts.streams.find(target.connectionId);
    if (this.#isDraining) return unrouted(notSent('draining', 'the gateway is shutting down'));
    if (stream === null) return unrouted(notSent('noConnection', 'the connection is not held here'));
    return { ...(await this.#try(stream, wish, Deadline.in(wish.waitMs))) };
  }

  /** Takes no new calls; those that run go on. */
  drain(): void {
    this.#isDraining = true;
  }

  async #call(wish: EposWish, wanted: EposWay | 'auto'): Promise<EposResult> {
    const deadline = Deadline.in(wish.waitMs);
    const pauses = TABLES_CALLS[wish.call.$case].isRead ? READ_PAUSES_MS : [];
    let result = await this.#once(wish, wanted, deadline);
    for (const pauseMs of pauses) {
      if (result.outcome.outcome !== 'noAnswer' || deadline.leftMs() <= pauseMs || this.#isDraining) break;
      await pause(pauseMs);
      result = await this.#once(wish, wanted, deadline);
    }
    return result;
  }

  async #once(wish: EposWish, wanted: EposWay | 'auto', deadline: Deadline): Promise<EposResult> {
    if (this.#isDraining) return unrouted(notSent('draining', 'the gateway is shutting down'));
    const known = await this.#book.find(wish.scope);
    const first = { wish, deadline, isFresh: known.isFresh };
    const { result, gone } = await this.#through(this.#ways(known, wanted), first);
    if (isSound(result)) return result;
    this.#book.drop(wish.scope);
    if (known.isFresh || !leadsNowhere(result)) return result;
    const fresh = await this.#book.find(wish.scope);
    // A stream that was not there a moment ago is not asked again.
    const ways = this.#ways(fresh, wanted).filter(({ connectionId }) => connectionId === '' || connectionId !== gone);
    if (ways.length === 0) return result;
    return (await this.#through(ways, { wish, deadline, isFresh: true })).result;
  }

  /** Takes the first way that sends the call. Of ways that were looked up earlier, one that is gone ends the list. */
  async #through(
    ways: readonly EposTransport[],
    { wish, deadline, isFresh }: { readonly wish: EposWish; readonly deadline: Deadline; readonly isFresh: boolean },
  ): Promise<{ readonly result: EposResult; readonly gone: string | null }> {
    let result = unrouted(notSent('noRoute', 'no EPOS is connected'));
    for (const transport of ways) {
      result = await this.#try(transport, wish, deadline);
      const { outcome } = result;
      if (outcome.outcome !== 'notSent' || outcome.why === 'fencedOff') break;
      if (!isFresh && leadsNowhere(result)) return { result, gone: transport.connectionId };
    }
    return { result, gone: null };
  }

  async #try(transport: EposTransport, wish: EposWish, deadline: Deadline): Promise<EposResult> {
    const limitMs = this.parts.callLimitMs * TABLES_CALLS[wish.call.$case].limitShare;
    const outcome: EposOutcome = await transport.call(wish, deadline.atMost(limitMs));
    return { outcome, way: transport.way, connectionId: transport.connectionId };
  }

  #ways({ family, live, integration }: EposRoutes, wanted: EposWay | 'auto'): EposTransport[] {
    const { database, gatewayId, streams, forwards, channels } = this.parts;
    if (wanted === 'auto' && !speaksGrpc(family)) return [];
    const streamed = live.flatMap((connection): EposTransport[] => {
      if (connection.gatewayId !== gatewayId) return [forwards.to(connection)];
      const stream = streams.find(connection.connectionId);
      return stream === null ? [] : [stream];
    });
    const dialled = integration === null ? [] : [new DialledEpos({ database, channels, integration })];
    return [...(wanted === 'dialled' ? [] : streamed), ...(wanted === 'stream' ? [] : dialled)];
  }
}

/** The EPOS has answered: its route is right. */
function isSound({ outcome }: EposResult): boolean {
  return outcome.outcome === 'answered' || outcome.outcome === 'refused';
}

/** There was nothing at the end of the way, and maybe the EPOS is elsewhere by now. */
function leadsNowhere({ outcome }: EposResult): boolean {
  return outcome.outcome === 'notSent' && outcome.why !== 'fencedOff' && outcome.why !== 'queueFull';
}

/** Whether the account's setting lets the gRPC family serve. */
function speaksGrpc(family: Family): boolean {
  return family === 'auto' || family === 'tables-grpc';
}

function unrouted(outcome: EposOutcome): EposResult {
  return { outcome, way: null, connectionId: '' };
}
