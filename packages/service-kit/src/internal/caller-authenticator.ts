import { assert } from '@pos/core/refusals/assert';
import { Refusal } from '@pos/core/refusals/refusal';
import type { PeerCertificate } from 'node:tls';
import type { Secret } from '../config/secret.js';
import type { Log } from '../telemetry/log.js';
import { readCallerToken } from './caller-token.js';
import {
  type Callers,
  SERVICE_APPS,
  type ServiceApp,
  type InternalApp,
  listCallers,
  mayChange,
} from './internal-callers.js';
import { findMessageBytes } from './message-bytes.js';
import { NonceCache } from './nonce-cache.js';
import {
  REPLAY_PROBLEM,
  SIGNATURE_AGE_MS_MAX,
  SIGNATURE_AHEAD_MS_MAX,
  SIGNATURE_METADATA,
  type VerifiedSignature,
  verifySignature,
} from './request-signature.js';

/** Added to the time of a nonce, because processes and the database that stores it have different clocks. */
const CLOCK_MARGIN_MS = 60_000;

/** The nonces that all processes of an app have admitted. */
export interface SharedNonces {
  /** Stores a nonce until then. Returns false if any process has stored it before. */
  claim(nonce: string, expiresAt: Date): Promise<boolean>;
}

/** What is read of an incoming call. */
export interface IncomingInternalCall {
  getPath(): string;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
  readonly metadata: { get(name: string): (string | Buffer)[] };
  /** The message, or what the codec returned in its place. */
  readonly request: unknown;
}

/**
 * Decides who calls an internal port, and whether that app may call the rpc. A client certificate names the caller, else
 * a signature of the request with the internal key. A port on loopback without a key admits every process of the
 * machine.
 */
export class CallerAuthenticator {
  readonly #nonces = new NonceCache({ lifetimeMs: SIGNATURE_AGE_MS_MAX });

  constructor(
    private readonly parts: {
      readonly app: InternalApp;
      /** The keys of tokens. */
      readonly keys: readonly Secret[];
      /** Whether the key itself is accepted in place of a token, as processes of release 0.1 send it. */
      readonly acceptsStaticKey: boolean;
      /** Whether a token without a signature of the request is refused. */
      readonly requiresSignature: boolean;
      /** Excludes that a call which changes something is repeated at another process, or after a restart. */
      readonly sharedNonces: SharedNonces;
      readonly log: Pick<Log, 'warn'>;
    },
  ) {}

  /**
   * The apps that the caller proves to be; null where no caller has to be named. Throws a `Refusal` for a call without a
   * known caller, and for one whose caller may not call the rpc.
   */
  async requireCaller(call: IncomingInternalCall): Promise<Callers | null> {
    const path = call.getPath();
    try {
      const proof = this.#findProof(call, path);
      if (proof === null) return null;
      requirePermittedCaller(proof.names, path);
      if (proof.signature !== null && mayChange(path)) await this.#claimNonce(proof.signature);
      return proof.names;
    } catch (error) {
      if (error instanceof Refusal) {
        this.parts.log.warn('internal.caller_refused', { rpc: path, peer: call.getPeer(), reason: error.detail });
      }
      throw error;
    }
  }

  /** The apps that the caller proves to be, by its signature if it has one; null where no caller has to be named. */
  #findProof(call: IncomingInternalCall, path: string): CallerProof | null {
    const { keys, acceptsStaticKey } = this.parts;
    const { sslPeerCertificate: certificate } = call.getAuthContext();
    if (certificate !== undefined) return { names: readCertificateNames(certificate), signature: null };
    if (keys.length === 0) return null;
    const credential = readText(call, 'authorization');
    if (acceptsStaticKey && keys.some((key) => credential === `Basic ${key.reveal()}`)) return null;
    const text = readText(call, SIGNATURE_METADATA);
    if (text === '') {
      const { caller } = requireProof(this.#readToken(credential, path));
      return { names: [caller], signature: null };
    }
    const signature = requireProof(this.#verifySignature(text, path, call.request));
    return { names: [signature.caller], signature };
  }

  async #claimNonce({ nonce, issuedAtMs }: VerifiedSignature): Promise<void> {
    const endMs = issuedAtMs + SIGNATURE_AGE_MS_MAX + SIGNATURE_AHEAD_MS_MAX + CLOCK_MARGIN_MS;
    if (!(await this.parts.sharedNonces.claim(nonce, new Date(endMs)))) {
      throw new Refusal('unauthenticated', REPLAY_PROBLEM);
    }
  }

  /** A call without a signature, as builds before it send them. Within its time, its token fits every message. */
  #readToken(text: string, path: string): ReturnType<typeof readCallerToken> {
    const { app: audience, keys, requiresSignature } = this.parts;
    if (requiresSignature) return { problem: `metadata ${SIGNATURE_METADATA} is missing` };
    return readCallerToken(text, { audience, path, keys, nowMs: Date.now() });
  }

  #verifySignature(text: string, path: string, request: unknown): ReturnType<typeof verifySignature> {
    const { app: audience, keys } = this.parts;
    const message = findMessageBytes(request);
    assert(message !== null, `the bytes of the message of ${path} are not kept`);
    return verifySignature(text, { audience, path, message, keys, nowMs: Date.now(), nonces: this.#nonces });
  }
}

/** Who a caller is, and the signature that proves it. */
interface CallerProof {
  readonly names: Callers;
  readonly signature: VerifiedSignature | null;
}

function requireProof<Proof extends { readonly caller: ServiceApp }>(
  read: Proof | { readonly problem: string },
): Proof {
  if ('problem' in read) throw new Refusal('unauthenticated', read.problem);
  return read;
}

/** The text of a metadata; empty if there is none. */
function readText({ metadata }: IncomingInternalCall, name: string): string {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : '';
}

/**
 * The apps among the DNS names of a certificate. Node writes a name with special characters in quotes; such a certificate
 * was not made for an app, and a quoted name could contain the text of another one.
 */
function readCertificateNames({ subjectaltname: text = '' }: PeerCertificate): ServiceApp[] {
  if (text.includes('"')) return [];
  const names = new Set(text.split(', '));
  return SERVICE_APPS.filter((app) => names.has(`DNS:${app}`));
}

function requirePermittedCaller(names: readonly ServiceApp[], path: string): void {
  const permitted = listCallers(path);
  if (names.some((name) => permitted.includes(name))) return;
  const callers = permitted.join(', ');
  if (names.length === 0) {
    const detail = `the client certificate has the DNS name of no app; ${path} is for ${callers}`;
    throw new Refusal('permission_missing', detail);
  }
  throw new Refusal('permission_missing', `${names.join(', ')} may not call ${path}, which is for ${callers}`);
}
