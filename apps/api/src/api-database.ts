import type { Caller } from '@pos/core/caller';
import type { Scope } from '@pos/core/identity';
import { Refusal, type RefusalCode } from '@pos/core/refusal';
import type { StoredAnswer } from '@pos/service-kit/admission';
import { problemAnswer } from '@pos/service-kit/http-problem';
import { type Call, Reply } from '@pos/service-kit/serve';
import { BOUND_REFUSALS } from '@pos/rest-contracts/bound-refusals';
import type { Operation, ReturnsOf } from '@pos/rest-contracts/operation';
import type { Database, Reader, Tx } from '@pos/store/database';
import { type IdempotentAnswer, type Idempotency, runOnce, findStoredAnswer } from '@pos/store/once';
import { beginOperation, completeOperation, releaseOperation } from '@pos/store/resumable';

type Asked<O extends Operation> = Pick<Call<O>, 'idempotency'> & { readonly caller: Caller };

type Moved<O extends Operation> = Asked<O> & Pick<Call<O>, 'traceId'>;

/** The steps of an operation that moves money. */
export interface Movement<R> {
  /** Reserves, and returns the reference under which the acquirer is asked. What it refuses binds nothing. */
  readonly begin: (tx: Tx) => Promise<string>;
  /** Takes the call as far as it goes now. Safe to repeat. */
  readonly pursue: (reference: string) => Promise<unknown>;
  /** The answer; refuses what the acquirer refused, and what is still open. */
  readonly result: (reader: Reader, reference: string) => Promise<R>;
  readonly kept?: Pick<Idempotency, 'retentionMs'>;
}

const BOUND: ReadonlySet<RefusalCode> = new Set(BOUND_REFUSALS);

/** The database as a controller uses it: one read, or one transaction that is done once per idempotency key. */
export class ApiDatabase {
  constructor(readonly database: Database) {}

  /** Reads in the caller's scope. All members of an answer are as of one moment, however many statements read them. */
  read<T>(scope: Scope, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.readSnapshot(scope, work);
  }

  /** As `read`, for an answer that one statement reads: without BEGIN and COMMIT, so one round trip less (ADR 0067). */
  readOne<T>(scope: Scope, look: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.read(scope, look);
  }

  /** Does the work once: a repeat under the same key gets the bytes of the first answer. */
  async once<O extends Operation>(
    { caller, idempotency }: Asked<O>,
    work: (tx: Tx) => Promise<ReturnsOf<O>>,
  ): Promise<ReturnsOf<O> | Reply> {
    if (idempotency === null) return this.database.transact(caller.scope, work, caller);
    const asked = { scope: caller.scope, idempotency, partners: caller };
    const { status, body, replayed } = await runOnce(this.database, asked, async (tx) => {
      const made = await work(tx);
      return made === undefined ? { status: 204, body: null } : { status: 200, body: made };
    });
    return new Reply(stored({ status, body }), replayed);
  }

  /**
   * Keeps the answer of work that takes more than one transaction: a repeat that comes after its end gets the bytes of
   * the first answer. The work itself sees to it that two of it never run at once.
   */
  async keep<O extends Operation>(call: Asked<O>, work: () => Promise<ReturnsOf<O>>): Promise<ReturnsOf<O> | Reply> {
    const made = await work();
    return call.idempotency === null ? made : this.once<O>(call, () => Promise.resolve(made));
  }

  /**
   * Moves money, which takes several transactions: `begin` reserves it under a reference, `pursue` asks the acquirer
   * outside of any, `result` says how that ended. A repeat of the key goes on from where the first request gave up or
   * died, under the same reference; the acquirer's no is bound to the key like its yes.
   */
  async move<O extends Operation>(call: Moved<O>, steps: Movement<ReturnsOf<O>>): Promise<ReturnsOf<O> | Reply> {
    const { database } = this;
    const { scope } = call.caller;
    const idempotency = call.idempotency && { ...call.idempotency, ...steps.kept };
    const asked = { scope, idempotency, partners: call.caller };
    const begun = await beginOperation(database, asked, steps.begin);
    if (begun.kind === 'answered') return new Reply(stored(begun.answer), true);
    const { point } = begun;
    try {
      await steps.pursue(point);
      const body = await database.readSnapshot(scope, (reader) => steps.result(reader, point));
      await completeOperation(database, asked, { status: 200, body });
      return body;
    } catch (error) {
      if (error instanceof Refusal && BOUND.has(error.code)) {
        const { status, body } = problemAnswer(error, { operation: null, traceId: call.traceId });
        await completeOperation(database, asked, { status, body: JSON.parse(body) });
      } else {
        await releaseOperation(database, asked, point);
      }
      throw error;
    }
  }

  /** What a key was answered before, or null. Refuses a key that was used with another body. */
  async recall({ scope }: Caller, idempotency: Parameters<typeof findStoredAnswer>[1]) {
    const answer = await this.database.read(scope, (reader) => findStoredAnswer(reader, idempotency));
    if (answer === null) return null;
    return stored(answer);
  }
}

function stored({ status, body }: IdempotentAnswer): StoredAnswer {
  return { status, body: body === null ? null : JSON.stringify(body) };
}
