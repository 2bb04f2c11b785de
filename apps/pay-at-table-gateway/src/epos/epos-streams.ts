import { status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { GrpcFailure } from '@pos/service-kit/grpc-errors';
import type { EposStream } from './epos-stream.js';

interface Serving {
  readonly scope: Scope;
  readonly stream: EposStream;
  readonly end: (error: Error) => void;
  isEnding: boolean;
}

/** An older stream has so long to answer what it was asked. */
const REPLACED_GRACE_MS = 5_000;

/** The EPOS streams that this gateway holds, by connection. */
export class EposStreams {
  /** Hears that the streams of an account are others now than they were. */
  onChange: (scope: Scope) => void = () => undefined;
  readonly #streams = new Map<string, Serving>();

  add(stream: EposStream, scope: Scope, end: (error: Error) => void): void {
    this.#streams.set(stream.connectionId, { scope, stream, end, isEnding: false });
  }

  /** The row of a stream is written: calls may be routed to it. */
  routed(connectionId: string): void {
    const serving = this.#streams.get(connectionId);
    if (serving !== undefined) this.onChange(serving.scope);
  }

  find(connectionId: string): EposStream | null {
    return this.#streams.get(connectionId)?.stream ?? null;
  }

  remove(connectionId: string): void {
    const serving = this.#streams.get(connectionId);
    if (serving === undefined) return;
    serving.stream.broken();
    this.#streams.delete(connectionId);
    this.onChange(serving.scope);
  }

  /** A newer stream of the account serves: this one ends when its outstanding calls are answered. */
  replaced(connectionId: string): void {
    const serving = this.#streams.get(connectionId);
    if (serving === undefined || serving.isEnding) return;
    serving.isEnding = true;
    this.onChange(serving.scope);
    void serving.stream.retire(REPLACED_GRACE_MS).then(() => {
      serving.end(new GrpcFailure(status.ABORTED, 'replaced by a newer stream of this account'));
    });
  }

  /** The gateway is shutting down: no new calls, and a while for those that are outstanding. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all([...this.#streams.values()].map(({ stream }) => stream.retire(graceMs)));
  }
}
