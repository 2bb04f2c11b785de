import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { UnreachableReason } from '@pos/core/webhooks/delivery-schedule';
import { Agent, request, type Dispatcher } from 'undici';
import { findTargetObjection, formatTargetHost, parseEgressTarget } from './egress-target.js';
import { isGlobalUnicast, isLoopback } from '../network/internet-address.js';
import { NO_PUBLIC_ADDRESS, resolveName } from './name-resolver.js';

/** The outcome of a call to an address from a customer. */
export type EgressOutcome =
  | {
      readonly outcome: 'answered';
      readonly httpStatus: number;
      readonly contentType: string | null;
      readonly body: Buffer;
      /** The answer was longer than the limit; the rest was not read. */
      readonly isTruncated: boolean;
      readonly tookMs: number;
    }
  | {
      readonly outcome: 'unanswered';
      /** `forbidden` means that no call was made. */
      readonly reason: UnreachableReason;
      /** Contains no address and no secret; safe for the owner of the URL. */
      readonly detail: string;
      /** False when no part of the request can have reached the receiver. */
      readonly mayHaveArrived: boolean;
      readonly tookMs: number;
    };

/** One call. The URL is checked again here, although it was checked when it was stored. */
export interface EgressRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly deadlineMs?: number;
  readonly answerBytesMax?: number;
  /** Also allows http, on loopback and for addresses of the allow-list. */
  readonly allowsPlaintext?: boolean;
  readonly signal?: AbortSignal;
}

const EGRESS_DEADLINE_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECTIONS_PER_ORIGIN_MAX = 16;

/**
 * Makes all calls to URLs that customers name. Public targets are called over https only: the name is resolved once,
 * all its addresses must be global unicast, and the connection goes to exactly those. Redirects are answers and are not
 * followed. Targets of the allow-list (exact host and port) may have any address, and use the extra certificate
 * authority.
 */
export class EgressClient {
  readonly #allowList: ReadonlySet<string>;
  readonly #publicAgent: Agent;
  readonly #allowListAgent: Agent;

  constructor({
    allow = [],
    certificateAuthority = null,
    connectMs = EGRESS_DEADLINE_MS,
    resolve = resolveName,
  }: {
    allow?: readonly string[];
    certificateAuthority?: string | null;
    /** The longest time to open a connection. */
    connectMs?: number;
    resolve?: (host: string) => Promise<readonly string[]>;
  } = {}) {
    this.#allowList = new Set(allow.map((entry) => entry.toLowerCase()));
    const pool = { connections: CONNECTIONS_PER_ORIGIN_MAX, pipelining: 1 };
    this.#publicAgent = new Agent({ ...pool, connect: { lookup: createPublicLookup(resolve), timeout: connectMs } });
    const ca = certificateAuthority === null ? [...rootCertificates] : [...rootCertificates, certificateAuthority];
    this.#allowListAgent = new Agent({ ...pool, connect: { ca, timeout: connectMs } });
  }

  /** Makes the call. Never throws for a failure of the receiver; the outcome reports it. */
  async send(call: EgressRequest): Promise<EgressOutcome> {
    const startedAt = performance.now();
    const tookMs = (): number => Math.round(performance.now() - startedAt);
    const target = parseEgressTarget(call.url, call.allowsPlaintext === true);
    if (typeof target === 'string') return createUnanswered('forbidden', target, tookMs());
    const isPlaintext = target.protocol === 'http:';
    const isListed = this.#allowList.has(formatTargetHost(target));
    const isAllowed = isListed || (isPlaintext && isLoopback(target.hostname));
    if (isPlaintext && !isAllowed) return createUnanswered('forbidden', 'only https is called', tookMs());
    if (!isAllowed) {
      const objection = findTargetObjection(target);
      if (objection !== null) return createUnanswered('forbidden', objection, tookMs());
    }
    const timeoutSignal = AbortSignal.timeout(call.deadlineMs ?? EGRESS_DEADLINE_MS);
    try {
      const answer = await request(target, {
        method: call.method,
        headers: call.headers,
        body: call.body ?? null,
        dispatcher: isAllowed ? this.#allowListAgent : this.#publicAgent,
        signal: call.signal === undefined ? timeoutSignal : AbortSignal.any([timeoutSignal, call.signal]),
      });
      const { body, isCut } = await readUpTo(answer.body, call.answerBytesMax ?? ANSWER_BYTES_MAX);
      const contentType = answer.headers['content-type'];
      return {
        outcome: 'answered',
        httpStatus: answer.statusCode,
        contentType: typeof contentType === 'string' ? contentType : null,
        body,
        isTruncated: isCut,
        tookMs: tookMs(),
      };
    } catch (error) {
      const { reason, detail } = timeoutSignal.aborted
        ? { reason: 'timeout' as const, detail: 'no answer in time' }
        : classifyFailure(error);
      return createUnanswered(reason, detail, tookMs());
    }
  }

  /** Closes idle connections and waits for running calls. */
  async close(): Promise<void> {
    await Promise.all([this.#publicAgent.close(), this.#allowListAgent.close()]);
  }
}

/** Resolves and checks in one step at connect time, so a name server cannot answer differently after the check. */
function createPublicLookup(resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        // A private address has the same error as no address, so a customer cannot probe the names of a private
        // network.
        if (first === undefined || !addresses.every(isGlobalUnicast)) {
          callback(Object.assign(new Error(NO_PUBLIC_ADDRESS), { code: 'ENOTFOUND' }), '', 0);
        } else if (all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else {
          callback(null, first, isIP(first));
        }
      },
      (error: unknown) => {
        callback(Object.assign(new Error(NO_PUBLIC_ADDRESS, { cause: error }), { code: 'ENOTFOUND' }), '', 0);
      },
    );
  };
}

async function readUpTo(
  answer: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the body, and with it the connection: nothing more is read.
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, bytesMax - size));
    size += part.length;
    if (size > bytesMax) return { body: Buffer.concat(parts), isCut: true };
  }
  return { body: Buffer.concat(parts), isCut: false };
}

const NOT_SENT: ReadonlySet<UnreachableReason> = new Set<UnreachableReason>(['forbidden', 'dns', 'refused', 'tls']);

function createUnanswered(reason: UnreachableReason, detail: string, tookMs: number): EgressOutcome {
  return { outcome: 'unanswered', reason, detail, mayHaveArrived: !NOT_SENT.has(reason), tookMs };
}

function classifyFailure(error: unknown): { reason: UnreachableReason; detail: string } {
  const code = readErrorCode(error);
  if (code === 'ENOTFOUND') return { reason: 'dns', detail: NO_PUBLIC_ADDRESS };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { reason: 'refused', detail: 'no connection in time' };
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code)) {
    return { reason: 'refused', detail: `no connection (${code})` };
  }
  if (/CERT|SIGNATURE|SSL|TLS|ISSUER|EPROTO|CRL/.test(code))
    return { reason: 'tls', detail: `no trusted TLS connection (${code})` };
  return { reason: 'reset', detail: `the connection broke (${code})` };
}

function readErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return readErrorCode(error.errors[0]);
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
