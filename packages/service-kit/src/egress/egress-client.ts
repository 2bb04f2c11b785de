import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { UnreachableReason } from '@pos/core/webhooks/delivery-schedule';
import { Agent, request, type Dispatcher } from 'undici';
import { findTargetObjection, formatTargetHost, parseEgressTarget } from './egress-target.js';
import { isGlobalUnicast, isLoopback } from '../network/internet-address.js';
import { NO_PUBLIC_ADDRESS, resolveName } from './name-resolver.js';

/** How a call to an address that somebody else gave us ended. */
export type EgressOutcome =
  | {
      readonly outcome: 'answered';
      readonly httpStatus: number;
      readonly contentType: string | null;
      readonly body: Buffer;
      /** The answer was longer than asked for; the rest was not read. */
      readonly isTruncated: boolean;
      readonly tookMs: number;
    }
  | {
      readonly outcome: 'unanswered';
      /** `forbidden` means we did not even try. */
      readonly reason: UnreachableReason;
      /** Free of addresses and secrets; safe to show to the owner of the URL. */
      readonly detail: string;
      /** False when nothing of the request can have reached the other side. */
      readonly mayHaveArrived: boolean;
      readonly tookMs: number;
    };

/** One call. The URL is checked here, whatever was checked when it was stored. */
export interface EgressRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly deadlineMs?: number;
  readonly answerBytesMax?: number;
  /** http is called too, on loopback and where the allow-list says so. */
  readonly allowsPlaintext?: boolean;
  readonly signal?: AbortSignal;
}

const EGRESS_DEADLINE_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const CONNECTIONS_PER_ORIGIN_MAX = 16;

/**
 * The only way out to URLs that customers name. Public targets over https only; the name is resolved once, every address
 * it gives must be global unicast, and the connection goes to exactly those. Redirects are answers, not followed. What
 * the allow-list names (exact host and port) is reached wherever it is, under the extra certificate authority.
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
    /** The longest that a connection may take to stand. */
    connectMs?: number;
    resolve?: (host: string) => Promise<readonly string[]>;
  } = {}) {
    this.#allowList = new Set(allow.map((entry) => entry.toLowerCase()));
    const pool = { connections: CONNECTIONS_PER_ORIGIN_MAX, pipelining: 1 };
    this.#publicAgent = new Agent({ ...pool, connect: { lookup: createPublicLookup(resolve), timeout: connectMs } });
    const ca = certificateAuthority === null ? [...rootCertificates] : [...rootCertificates, certificateAuthority];
    this.#allowListAgent = new Agent({ ...pool, connect: { ca, timeout: connectMs } });
  }

  /** Makes the call. Never throws for what the other side does; the outcome says it. */
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

/** Resolving and judging are one step at connect time: there is no second answer for a name server to change its mind in. */
function createPublicLookup(resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        // A private address answers as no address does: whoever registers names learns nothing of a network's own names.
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
