import { readTablesCallFrame, writeTablesRefusal, writeTablesResult } from '@pos/grpc-contracts/tables-frames';
import { readCallFrame, writeAnswerFrame } from '@pos/rest-contracts/epos-data';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { distortText } from '../epos-simulator/answer-distortion.js';
import { serveTablesCall } from '../epos-simulator/tables-calls.js';
import { serveDataCall } from '../epos-simulator/data-calls.js';
import type { EposSimulator, EposCallResult } from '../epos-simulator/epos-simulator.js';
import { presentTablesError } from '../epos/tables-messages.js';
import type { Seed } from '../clock/seed.js';
import type { GatewayTransport } from '../connections/gateway-transport.js';
import { RECONNECT_STORM_TRIES } from '../connections/persistent-connection.js';
import { PersistentSocket } from '../connections/persistent-socket.js';

/** What an EPOS that opens a socket to the gateway needs. */
export interface EposSocketOptions {
  readonly eposSimulator: EposSimulator;
  readonly accountId: string;
  readonly apiKey: string;
  readonly softwareHouseId: string;
  readonly merchantName: string;
  /** `ws://host:port` or `wss://host:port` of each gateway. */
  readonly gatewayUrls: readonly string[];
  readonly transport: GatewayTransport;
  readonly clock: SimulationClock;
  readonly seed: Seed;
}

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
/** A dropped socket reconnects after this delay: it simulates a broken connection, not a closed restaurant. */
const RECONNECT_DELAY_MS = 1_000;

/** The reference EPOS with the EPOS Data API, over the socket that it opens at `/epos`. */
export function createDataSocket(socketOptions: EposSocketOptions): PersistentSocket {
  const authorization = `Basic ${socketOptions.apiKey}`;
  return createPersistentSocket(socketOptions, { path: '/epos', authorization }, async (text, sendText) => {
    const call = readCallFrame(text);
    if (call === null) return null;
    const { id, name, params, headers } = call;
    if (name === null) {
      const error = { errorType: 'InvalidRequest', debugMessage: 'method: is unknown' } as const;
      sendText(writeAnswerFrame({ id, outcome: 'error', error }));
      return null;
    }
    const callResult = await serveDataCall(socketOptions.eposSimulator, { name, params, headers }, 'ws');
    if (callResult.kind === 'answer') {
      const write = (json: unknown): string => writeAnswerFrame({ id, outcome: 'result', json });
      sendAnswer(sendText, callResult, distortText(callResult.answer, callResult.spoiling, write));
    }
    if (callResult.kind === 'refusal') {
      const error = { errorType: callResult.code, debugMessage: callResult.reason };
      sendAnswer(sendText, callResult, writeAnswerFrame({ id, outcome: 'error', error }));
    }
    return callResult;
  });
}

/** The reference EPOS with the pay-at-table contract, over the socket that it opens at `/ws/v1/tables/epos`. */
export function createTablesSocket(socketOptions: EposSocketOptions): PersistentSocket {
  const { eposSimulator, accountId, apiKey, merchantName } = socketOptions;
  const authorization = `Basic ${Buffer.from(`${accountId}:${apiKey}`).toString('base64')}`;
  return createPersistentSocket(
    socketOptions,
    { path: '/ws/v1/tables/epos', authorization },
    async (text, sendText) => {
      const received = readTablesCallFrame(text);
      if (received.is === 'notification') return null;
      if (received.is === 'notUnderstood') {
        sendText(writeTablesRefusal(received.id, presentTablesError('ERROR_PARSE_ERROR', received.reason)));
        return null;
      }
      const callResult = await serveTablesCall(eposSimulator, received.call, { transport: 'tables-ws', merchantName });
      if (callResult.kind === 'answer') {
        const resultFrame: unknown = JSON.parse(writeTablesResult(received.id, callResult.answer));
        // Currencies and totals were distorted when the bill was built.
        const spoiling = { ...callResult.spoiling, hasWrongTotals: false, hasWrongCurrency: false };
        sendAnswer(sendText, callResult, distortText(resultFrame, spoiling, JSON.stringify));
      }
      if (callResult.kind === 'refusal') {
        sendAnswer(
          sendText,
          callResult,
          writeTablesRefusal(received.id, presentTablesError(callResult.code, callResult.reason)),
        );
      }
      return callResult;
    },
  );
}

function sendAnswer(
  sendText: (text: string) => void,
  { isDoubled }: { readonly isDoubled: boolean },
  text: string,
): void {
  sendText(text);
  if (isDoubled) sendText(text);
}

function createPersistentSocket(
  socketOptions: EposSocketOptions,
  endpoint: { readonly path: string; readonly authorization: string },
  serve: (text: string, sendText: (text: string) => void) => Promise<EposCallResult<unknown, string> | null>,
): PersistentSocket {
  const { clock, seed, accountId, softwareHouseId, gatewayUrls } = socketOptions;
  const random = seed.createRandom('epos reconnects', endpoint.path, accountId);
  const socket: PersistentSocket = new PersistentSocket({
    addresses: gatewayUrls,
    clock,
    backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => random.nextFraction() },
    talk: {
      buildRequest: (address) => {
        socketOptions.eposSimulator.onSocketDialled();
        return {
          url: `${address.replace(/\/+$/, '')}${endpoint.path}`,
          headers: {
            authorization: endpoint.authorization,
            'software-house-id': softwareHouseId,
            // The gateway admits it only if the account permits it.
            'sandbox-epos': 'true',
          },
          tls: socketOptions.transport.readSocketOptions(),
        };
      },
      onText: (text, sendText) => {
        void serve(text, sendText).then((callResult) => {
          if (callResult?.kind === 'broken')
            socket.interrupt(RECONNECT_DELAY_MS, callResult.isStorm ? RECONNECT_STORM_TRIES : 0);
        });
      },
    },
  });
  return socket;
}
