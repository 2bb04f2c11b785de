import type { Metadata } from '@grpc/grpc-js';
import { assert, Refusal } from '@pos/core/refusals';
import { requirePermission, type Caller } from '@pos/core/accounts';
import type { Permission } from '@pos/core/identity';
import { readApiKey, readPartnerId, type GrpcAuthenticator, type GrpcPartnerCheck } from './grpc-auth.js';
import { currentTrace, type Trace } from '../telemetry/trace.js';

/** The context of a call for its rpc method. */
export class GrpcCall {
  /** Such as `service.tables.v1.TablesService/ListSessions`. */
  readonly rpc: string;
  readonly trace: Trace;
  /** The peer as grpc-js writes it: address, colon, port, and no brackets around IPv6. */
  readonly peer: string;
  /** Aborted when the answer is not needed any more: cancelled, deadline passed, connection lost, server stopping. */
  readonly signal: AbortSignal;
  readonly #metadata: Metadata;
  readonly #deadlineAtMs: number;
  readonly #authenticate: GrpcAuthenticator;
  readonly #checkPartners: GrpcPartnerCheck | null;
  #keyText: string | null = null;
  #permission: Permission | null = null;
  #caller: Caller | null = null;

  constructor(call: {
    rpc: string;
    trace: Trace;
    peer: string;
    signal: AbortSignal;
    metadata: Metadata;
    /** By the process's clock; `Infinity` for a stream without one. */
    deadlineAtMs: number;
    authenticate: GrpcAuthenticator;
    checkPartners: GrpcPartnerCheck | null;
  }) {
    this.rpc = call.rpc;
    this.trace = call.trace;
    this.peer = call.peer;
    this.signal = call.signal;
    this.#metadata = call.metadata;
    this.#deadlineAtMs = call.deadlineAtMs;
    this.#authenticate = call.authenticate;
    this.#checkPartners = call.checkPartners;
  }

  /** The caller. Only for methods that require a permission. */
  get caller(): Caller {
    assert(this.#caller !== null, `${this.rpc} asks for no permission, so it has no caller`);
    return this.#caller;
  }

  /** The caller, or null before it was admitted. For the log. */
  get callerIfAdmitted(): Caller | null {
    return this.#caller;
  }

  /** Milliseconds until the caller stops waiting; `Infinity` without a deadline. */
  getRemainingMs(): number {
    return Math.max(0, this.#deadlineAtMs - Date.now());
  }

  /** The first text value of a metadata entry, or null. */
  metadata(name: string): string | null {
    const [value] = this.#metadata.get(name);
    return typeof value === 'string' ? value : null;
  }

  /** Admits the caller, or refuses. The server calls it before the method; `null` requires no credentials. */
  async admitCaller(permission: Permission | null): Promise<void> {
    if (permission === null) return;
    this.#permission = permission;
    this.#keyText = readApiKey(this.#metadata);
    const holder = await this.#findHolder(this.#keyText, permission);
    const caller = {
      ...holder,
      softwareHouseId: readPartnerId(this.#metadata, 'software-house-id'),
      resellerId: readPartnerId(this.#metadata, 'reseller-id'),
      traceId: currentTrace()?.traceId ?? this.trace.traceId,
      version: /\.(v\d+)\./.exec(this.rpc)?.[1] ?? '',
    };
    await this.#checkPartners?.(caller, this.rpc);
    this.#caller = caller;
  }

  /**
   * Checks again that the key exists and has the permission, for streams that outlive a deleted key. Refuses if not.
   */
  async recheckKey(): Promise<void> {
    assert(this.#keyText !== null && this.#permission !== null, `${this.rpc} asks for no permission`);
    await this.#findHolder(this.#keyText, this.#permission);
  }

  async #findHolder(keyText: string, permission: Permission): Promise<Pick<Caller, 'scope' | 'keyId' | 'permissions'>> {
    const holder = await this.#authenticate(keyText, parsePeerAddress(this.peer));
    if (holder === null) throw new Refusal('unauthenticated', 'the key is unknown or was deleted');
    requirePermission(holder, permission);
    return holder;
  }
}

/** Without brackets, only the last colon certainly precedes the port. */
function parsePeerAddress(peer: string): string {
  const end = peer.lastIndexOf(':');
  return end === -1 ? peer : peer.slice(0, end);
}
