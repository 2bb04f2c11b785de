import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { UnreachableReason } from '@pos/core/webhooks';
import { Agent, request } from 'undici';
import { readBody, readBodyBriefly } from './answer-body.js';
import { type EgressFailure, classifyFailure } from './call-failure.js';
import { findLoopbackObjection, findTargetObjection, formatTargetHost, parseEgressTarget } from './egress-target.js';
import { isGlobalUnicast, isLoopback } from '../network/internet-address.js';
import { NO_PUBLIC_ADDRESS, resolveName } from './name-resolver.js';
import { RenewedAgent } from './renewed-agent.js';

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
      readonly reason: EgressFailure['reason'];
      readonly detail: string;
      readonly cause: string | null;
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
  /**
   * The status decides, and the body is only a note for people: it is read for a moment. A body that never begins,
   * breaks or does not end is no failure.
   */
  readonly isBodyOptional?: boolean;
  /** Also allows http, on loopback and for addresses of the allow-list. */
  readonly allowsPlaintext?: boolean;
  /** Also allows http on loopback, independently of the allow-list: for development. */
  readonly allowsLoopback?: boolean;
  readonly signal?: AbortSignal;
}

const EGRESS_DEADLINE_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** How long a body is read that decides nothing. */
const OPTIONAL_BODY_MS = 1_000;
const TIMED_OUT: EgressFailure = { reason: 'timeout', detail: 'no answer in time', cause: null };
const CONNECTIONS_PER_ORIGIN_MAX = 16;
/** A receiver that announces no time may close an idle connection after 5 s, as Node does. */
const IDLE_MS = 4_000;
/** The longest time that an idle connection is kept for a receiver that announces a longer one. */
const IDLE_MS_MAX = 60_000;
/** Then the name is resolved and checked again, so that calls follow a receiver that moves. */
const CONNECTION_AGE_MS_MAX = 5 * 60_000;

/**
 * Makes all calls to URLs that customers name. Public targets are called over https only: the name is resolved once,
 * all its addresses must be global unicast, and the connection goes to exactly those. Redirects are answers and are not
 * followed. Without TLS loopback is called where the call allows it; `localhost` must resolve to loopback, and the
 * connection goes to exactly those addresses. Targets of the allow-list (exact host and port) may have any address, and use the extra certificate
 * authority. A connection is kept for the next call to the same scheme, host and port. It stays at the address that was
 * checked when it was opened.
 */
export class EgressClient {
  readonly #allowList: ReadonlySet<string>;
  readonly #publicAgent: RenewedAgent;
  readonly #allowListAgent: RenewedAgent;
  readonly #loopbackAgent: RenewedAgent;

  constructor({
    allow = [],
    certificateAuthority = null,
    connectMs = EGRESS_DEADLINE_MS,
    idleMsMax = IDLE_MS_MAX,
    connectionAgeMsMax = CONNECTION_AGE_MS_MAX,
    resolve = resolveName,
    resolveLocally = resolveBySystem,
  }: {
    allow?: readonly string[];
    certificateAuthority?: string | null;
    /** The longest time to open a connection. */
    connectMs?: number;
    /** The longest time that an idle connection is kept. */
    idleMsMax?: number;
    /** The age from which a connection is not used again. */
    connectionAgeMsMax?: number;
    resolve?: (host: string) => Promise<readonly string[]>;
    /** Resolves the name of this machine. */
    resolveLocally?: (host: string) => Promise<readonly string[]>;
  } = {}) {
    this.#allowList = new Set(allow.map((entry) => entry.toLowerCase()));
    const pool = {
      ...{ connections: CONNECTIONS_PER_ORIGIN_MAX, pipelining: 1 },
      ...{ keepAliveTimeout: Math.min(IDLE_MS, idleMsMax), keepAliveMaxTimeout: idleMsMax },
    };
    const openAgent = (connect: NonNullable<Agent.Options['connect']>): RenewedAgent =>
      new RenewedAgent(() => new Agent({ ...pool, connect }), connectionAgeMsMax);
    this.#publicAgent = openAgent({
      ...{ lookup: createCheckedLookup(resolve, isGlobalUnicast), timeout: connectMs },
      secureContext: createSecureContext(),
    });
    const loopbackLookup = createCheckedLookup(resolveLocally, isLoopback);
    this.#loopbackAgent = openAgent({ lookup: loopbackLookup, timeout: connectMs });
    this.#allowListAgent = openAgent({ secureContext: getSecureContext(certificateAuthority), timeout: connectMs });
  }

  /** Makes the call. Never throws for a failure of the receiver; the outcome reports it. */
  async send(call: EgressRequest): Promise<EgressOutcome> {
    const startedAt = performance.now();
    const tookMs = (): number => Math.round(performance.now() - startedAt);
    const target = parseEgressTarget(call.url, call.allowsPlaintext === true || call.allowsLoopback === true);
    if (typeof target === 'string') return createUnanswered(createForbidden(target), tookMs());
    const agent = this.#chooseAgent(target, call);
    if (typeof agent === 'string') return createUnanswered(createForbidden(agent), tookMs());
    const timeoutSignal = AbortSignal.timeout(call.deadlineMs ?? EGRESS_DEADLINE_MS);
    const signal = call.signal === undefined ? timeoutSignal : AbortSignal.any([timeoutSignal, call.signal]);
    try {
      const { method, headers, body: sentBody = null } = call;
      const answering = request(target, { method, headers, body: sentBody, dispatcher: agent.get(), signal });
      const answer = await awaitAnswer(answering, signal);
      const bytesMax = call.answerBytesMax ?? ANSWER_BYTES_MAX;
      const { bytes: body, isCut } =
        call.isBodyOptional === true
          ? await readBodyBriefly(answer.body, { bytesMax, waitMs: OPTIONAL_BODY_MS })
          : await readBody(answer.body, bytesMax);
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
      const failure = timeoutSignal.aborted ? TIMED_OUT : classifyFailure(error);
      return createUnanswered(failure, tookMs());
    }
  }

  /** The agent whose addresses the target may have, or why it is not called. */
  #chooseAgent(target: URL, { allowsPlaintext = false }: EgressRequest): RenewedAgent | string {
    const isListed = this.#allowList.has(formatTargetHost(target));
    if (target.protocol === 'http:') {
      if (isLoopback(target.hostname))
        return (allowsPlaintext ? null : findLoopbackObjection(target)) ?? this.#loopbackAgent;
      return allowsPlaintext && isListed ? this.#allowListAgent : 'only https is called';
    }
    if (isListed) return this.#allowListAgent;
    return findTargetObjection(target) ?? this.#publicAgent;
  }

  /** Closes idle connections and waits for running calls. */
  async close(): Promise<void> {
    await Promise.all([this.#publicAgent, this.#allowListAgent, this.#loopbackAgent].map((agent) => agent.close()));
  }
}

/** Rejects at the signal too. The library ignores it while a call waits for a connection; it does not send the call later. */
async function awaitAnswer<T>(answering: Promise<T>, signal: AbortSignal): Promise<T> {
  let reject: () => void = () => undefined;
  const aborting = new Promise<never>((_, refuse) => {
    reject = () => refuse(signal.reason as Error);
  });
  signal.addEventListener('abort', reject);
  try {
    return await Promise.race([answering, aborting]);
  } finally {
    signal.removeEventListener('abort', reject);
  }
}

/** The context with the public authorities alone. It takes tens of milliseconds to parse their certificates. */
let publicAuthorities: SecureContext | null = null;

/** One context for all connections, and for all clients without an authority of their own. */
function getSecureContext(certificateAuthority: string | null): SecureContext {
  if (certificateAuthority !== null) return createSecureContext({ ca: [...rootCertificates, certificateAuthority] });
  publicAuthorities ??= createSecureContext({ ca: [...rootCertificates] });
  return publicAuthorities;
}

/** Resolves and checks in one step at connect time, so a name server cannot answer differently after the check. */
function createCheckedLookup(
  resolve: (host: string) => Promise<readonly string[]>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        // A private address has the same error as no address, so a customer cannot probe the names of a private
        // network.
        if (first === undefined || !addresses.every(isAllowed)) {
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

/** The addresses of a name by the system, which knows the names of this machine. */
async function resolveBySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

const NOT_SENT: ReadonlySet<UnreachableReason> = new Set<UnreachableReason>(['forbidden', 'dns', 'refused', 'tls']);

function createUnanswered(failure: EgressFailure, tookMs: number): EgressOutcome {
  return { outcome: 'unanswered', ...failure, mayHaveArrived: !NOT_SENT.has(failure.reason), tookMs };
}

/** No call was made to the target. */
function createForbidden(cause: string): EgressFailure {
  return { reason: 'forbidden', detail: cause, cause };
}
