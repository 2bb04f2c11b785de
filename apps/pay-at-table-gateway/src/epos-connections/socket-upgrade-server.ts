import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { requirePermission } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { AccountCache, ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';
import { EPOS_FRAME_BYTES_MAX } from '@pos/rest-contracts/epos-data';
import { KEY_FORMS } from '@pos/rest-contracts/shapes';
import { parseBasicCredential } from '@pos/service-kit/auth';
import { endConnection, findClientAddress, type NetworkList } from '@pos/service-kit/network';
import { createProblemResponse } from '@pos/service-kit/http';
import { requireSingleHeaders } from '@pos/service-kit/request-checks';
import { continueTrace, formatTraceparent, type Log, runInTrace } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { WebSocketServer } from 'ws';
import { ConnectionRateLimiter } from '../connections/connection-rate-limiter.js';
import { SocketConnection } from '../connections/socket-connection.js';
import type { EposSocketService, SocketKind } from './epos-socket-service.js';
import { admitSandboxEpos, SANDBOX_EPOS_HEADER } from './sandbox-epos.js';

/** Where an EPOS opens a socket, and what is spoken on it. */
const SOCKET_PATHS: ReadonlyMap<string, SocketKind> = new Map([
  ['/epos', 'epos-ws'],
  ['/ws/v1/tables/epos', 'tables-ws'],
]);

const ATTEMPTS_PER_MINUTE_MAX = 10;
const PARTNER_LENGTH_MAX = 100;

/** Decides who may open a socket, and checks again later whether they still may. */
interface SocketAdmission {
  readonly scope: Scope;
  readonly reauthorise: () => Promise<void>;
}

/**
 * Accepts EPOSes that open a socket. Key, permission, partner header and number of attempts are checked before the
 * upgrade, and a refusal is an HTTP answer with a problem body.
 */
export class SocketUpgradeServer {
  readonly #rateLimiter = new ConnectionRateLimiter(ATTEMPTS_PER_MINUTE_MAX);
  readonly #webSocketServer = new WebSocketServer({
    noServer: true,
    maxPayload: EPOS_FRAME_BYTES_MAX,
    perMessageDeflate: false,
    // Other offered subprotocols are not supported here; a client that insists on one closes the connection.
    handleProtocols: () => false,
  });

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly keys: ApiKeyAuthenticator;
      readonly partners: PartnerDirectory;
      readonly sockets: EposSocketService;
      /** Their `x-forwarded-for` names the client. */
      readonly proxies: NetworkList;
      readonly log: Log;
    },
  ) {}

  /** Takes the upgrades of a server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const headerValue = request.headers['traceparent'];
      const trace = continueTrace(typeof headerValue === 'string' ? headerValue : null);
      // Until the upgrade there is no other listener for errors of the connection.
      socket.on('error', () => undefined);
      void runInTrace(trace, () => this.#handleUpgrade(request, { socket, head, traceId: formatTraceparent(trace) }));
    });
  }

  async #handleUpgrade(
    request: IncomingMessage,
    { socket, head, traceId }: { readonly socket: Duplex; readonly head: Buffer; readonly traceId: string },
  ): Promise<void> {
    try {
      requireSingleHeaders(request.rawHeaders);
      const kind = SOCKET_PATHS.get((request.url ?? '').split('?', 1)[0] ?? '');
      if (kind === undefined) throw new Refusal('path_unknown', 'There is no such path.');
      const admission = await this.#admitSocket(request, kind);
      this.#webSocketServer.handleUpgrade(request, socket, head, (webSocket) => {
        void this.parts.sockets.serveSocket(new SocketConnection(webSocket), { kind, ...admission });
      });
    } catch (error) {
      const { status, headers, body, refusal } = createProblemResponse(error, { operation: null, traceId });
      this.parts.log.info('socket.refused', { status, refusal, ...(refusal === null && { error }) });
      if (!socket.writable) return;
      const lines = Object.entries({
        ...headers,
        'trace-id': traceId,
        connection: 'close',
        'content-length': String(Buffer.byteLength(body)),
      });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      endConnection(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`);
    }
  }

  async #admitSocket({ headers, socket }: IncomingMessage, kind: SocketKind): Promise<SocketAdmission> {
    const credential = parseBasicCredential(headers.authorization) ?? '';
    const { key, accountName } =
      kind === 'tables-ws' ? parseAccountCredential(credential) : { key: credential, accountName: null };
    const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',');
    const address = findClientAddress({ peer: socket.remoteAddress ?? '', forwardedFor }, this.parts.proxies);
    const requireScope = async (): Promise<Scope> => {
      const holder = await this.parts.keys.authenticate(key, address);
      if (holder === null) throw createUnknownKeyRefusal();
      requirePermission(holder, 'epos.connect');
      return holder.scope;
    };
    const holder = await this.parts.keys.authenticate(key, address);
    if (holder === null) throw createUnknownKeyRefusal();
    this.#rateLimiter.countAttempt(holder.scope);
    requirePermission(holder, 'epos.connect');
    if (accountName !== null) await this.#requireAccountName(holder.scope, accountName);
    const { scope } = holder;
    await this.parts.partners.requireRegistered({
      scope,
      softwareHouseId: readPartnerHeader(headers['software-house-id'], { name: 'software-house-id', isRequired: true }),
      resellerId: readPartnerHeader(headers['reseller-id'], { name: 'reseller-id', isRequired: false }),
    });
    const headerValue = headers[SANDBOX_EPOS_HEADER];
    const reauthoriseSandboxEpos = await admitSandboxEpos(this.parts.database, {
      ...{ scope, headerValue: typeof headerValue === 'string' ? headerValue : null },
    });
    return {
      scope,
      reauthorise: async () => {
        await requireScope();
        await reauthoriseSandboxEpos();
      },
    };
  }

  /** The name beside the key is the account's id or one of its names. */
  async #requireAccountName(scope: Scope, accountName: string): Promise<void> {
    const { database, accounts } = this.parts;
    const { id, name, tradingName } = await database.read(scope, (reader) => accounts.get(reader));
    if (![id, name, tradingName].includes(accountName)) throw createUnknownKeyRefusal();
  }
}

/** `accountName:apiKey` in base64; the literal key alone is read too. A key has no colon. */
function parseAccountCredential(credential: string): { readonly key: string; readonly accountName: string | null } {
  if (/^sk_/.test(credential)) return { key: credential, accountName: null };
  const text = Buffer.from(credential, 'base64').toString();
  const separatorIndex = text.lastIndexOf(':');
  return separatorIndex < 0
    ? { key: '', accountName: null }
    : { key: text.slice(separatorIndex + 1), accountName: text.slice(0, separatorIndex) };
}

function readPartnerHeader(
  headerValue: string | string[] | undefined,
  { name, isRequired }: { readonly name: string; readonly isRequired: boolean },
): string | null {
  if (headerValue === undefined && !isRequired) return null;
  if (headerValue === undefined) throw createViolation('partner_header_invalid', name, 'Is required.');
  if (typeof headerValue !== 'string' || headerValue.trim() === '' || headerValue.length > PARTNER_LENGTH_MAX) {
    throw createViolation('partner_header_invalid', name, 'Must be 1 to 100 characters.');
  }
  return headerValue;
}

function createUnknownKeyRefusal(): Refusal {
  return new Refusal(
    'unauthenticated',
    `The key is missing, unknown or not of this account. It is read from ${KEY_FORMS}.`,
  );
}
