import { hearTablesCall, writeTablesRefusal, writeTablesResult } from '@pos/grpc-contracts/tables-frames';
import { readCallFrame, writeAnswerFrame } from '@pos/rest-contracts/epos-data-frames';
import type { WorldClock } from './clock.js';
import { spoiledText } from './epos-answers.js';
import { serveTablesCall } from './epos-calls.js';
import { serveDataCall } from './epos-data-calls.js';
import type { EposDoor, EposServed } from './epos-door.js';
import { presentError } from './epos-wire.js';
import type { Seed } from './seed.js';
import { STORM_TRIES } from './standing-line.js';
import { StandingSocket } from './standing-socket.js';

/** What an EPOS that opens a socket to the gateway needs. */
export interface EposSocketPlace {
  readonly door: EposDoor;
  readonly accountId: string;
  readonly apiKey: string;
  readonly softwareHouseId: string;
  readonly merchantName: string;
  /** `ws://host:port` of each gateway. */
  readonly gatewayUrls: readonly string[];
  readonly clock: WorldClock;
  readonly seed: Seed;
}

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** A dropped socket is back after this long: a broken connection, not a closed restaurant. */
const DROPPED_FOR_MS = 1_000;

/** The reference EPOS with the EPOS Data API, over the socket that it opens at `/epos`. */
export function dataSocketOf(place: EposSocketPlace): StandingSocket {
  const authorization = `Basic ${place.apiKey}`;
  return standingSocket(place, { path: '/epos', authorization }, async (text, say) => {
    const call = readCallFrame(text);
    if (call === null) return null;
    const { id, name, params, headers } = call;
    if (name === null) {
      const error = { errorType: 'InvalidRequest', debugMessage: 'method: is unknown' } as const;
      say(writeAnswerFrame({ id, outcome: 'error', error }));
      return null;
    }
    const served = await serveDataCall(place.door, { name, params, headers }, 'ws');
    if (served.kind === 'answer') {
      const write = (json: unknown): string => writeAnswerFrame({ id, outcome: 'result', json });
      tell(say, served, spoiledText(served.answer, served.spoiling, write));
    }
    if (served.kind === 'refusal') {
      const error = { errorType: served.code, debugMessage: served.reason };
      tell(say, served, writeAnswerFrame({ id, outcome: 'error', error }));
    }
    return served;
  });
}

/** The reference EPOS with the pay-at-table contract, over the socket that it opens at `/ws/v1/tables/epos`. */
export function tablesSocketOf(place: EposSocketPlace): StandingSocket {
  const { door, accountId, apiKey, merchantName } = place;
  const authorization = `Basic ${Buffer.from(`${accountId}:${apiKey}`).toString('base64')}`;
  return standingSocket(place, { path: '/ws/v1/tables/epos', authorization }, async (text, say) => {
    const heard = hearTablesCall(text);
    if (heard.is === 'notification') return null;
    if (heard.is === 'notUnderstood') {
      say(writeTablesRefusal(heard.id, presentError('ERROR_PARSE_ERROR', heard.reason)));
      return null;
    }
    const served = await serveTablesCall(door, heard.call, { transport: 'tables-ws', merchantName });
    if (served.kind === 'answer') {
      const written: unknown = JSON.parse(writeTablesResult(heard.id, served.answer));
      // Currencies and totals were spoiled where the bill was drawn up.
      const spoiling = { ...served.spoiling, hasWrongTotals: false, hasWrongCurrency: false };
      tell(say, served, spoiledText(written, spoiling, JSON.stringify));
    }
    if (served.kind === 'refusal') {
      tell(say, served, writeTablesRefusal(heard.id, presentError(served.code, served.reason)));
    }
    return served;
  });
}

function tell(say: (text: string) => void, { isDoubled }: { readonly isDoubled: boolean }, text: string): void {
  say(text);
  if (isDoubled) say(text);
}

function standingSocket(
  place: EposSocketPlace,
  at: { readonly path: string; readonly authorization: string },
  serve: (text: string, say: (text: string) => void) => Promise<EposServed<unknown, string> | null>,
): StandingSocket {
  const { clock, seed, accountId, softwareHouseId, gatewayUrls } = place;
  const draws = seed.draws('epos reconnects', at.path, accountId);
  const socket: StandingSocket = new StandingSocket({
    addresses: gatewayUrls,
    clock,
    backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => draws.fraction() },
    talk: {
      open: (address) => {
        place.door.socketDialled();
        return {
          url: `${address.replace(/\/+$/, '')}${at.path}`,
          headers: {
            authorization: at.authorization,
            'software-house-id': softwareHouseId,
            // The gateway admits it only where the account wants it.
            'sandbox-epos': 'true',
          },
        };
      },
      heard: (text, say) => {
        void serve(text, say).then((served) => {
          if (served?.kind === 'broken') socket.unplug(DROPPED_FOR_MS, served.isStorm ? STORM_TRIES : 0);
        });
      },
    },
  });
  return socket;
}
