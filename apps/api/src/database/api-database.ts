import type { Caller } from '@pos/core/accounts/caller';
import type { Scope } from '@pos/core/identity/identity';
import { Refusal, type RefusalCode } from '@pos/core/refusals/refusal';
import type { StoredAnswer } from '@pos/service-kit/request-checks/request-admission';
import { createProblemResponse } from '@pos/service-kit/http/problem-response';
import { type OperationCall, StoredReply } from '@pos/service-kit/http/operation-route';
import { BOUND_REFUSALS } from '@pos/rest-contracts/operation/bound-refusals';
import type { Operation, ReturnsOf } from '@pos/rest-contracts/operation/operation';
import type { Database, Reader, Tx } from '@pos/store/database/database';
import {
  type IdempotentAnswer,
  type Idempotency,
  runOnce,
  findStoredAnswer,
} from '@pos/store/idempotency/idempotency-keys';
import { beginOperation, completeOperation, releaseOperation } from '@pos/store/idempotency/idempotent-operation';

type IdempotentCall<O extends Operation> = Pick<OperationCall<O>, 'idempotency'> & { readonly caller: Caller };

type MoneyCall<O extends Operation> = IdempotentCall<O> & Pick<OperationCall<O>, 'traceId'>;

/** The steps of an operation that moves money. */
export interface MoneyMovement<R> {
  /** Reserves, and returns the reference under which the acquirer is asked. What it refuses binds nothing. */
  readonly reserve: (tx: Tx) => Promise<string>;
  /** Takes the call as far as it goes now. Safe to repeat. */
  readonly execute: (reference: string) => Promise<unknown>;
  /** The answer; refuses what the acquirer refused, and what is still open. */
  readonly getResult: (reader: Reader, reference: string) => Promise<R>;
  readonly storage?: Pick<Idempotency, 'retentionMs'>;
}

const STORED_REFUSALS: ReadonlySet<RefusalCode> = new Set(BOUND_REFUSALS);

/** The database as a controller uses it: one read, or one transaction that is done once per idempotency key. */
export class ApiDatabase {
  constructor(readonly database: Database) {}

  /** Reads in the caller's scope. All members of an answer are as of one moment, however many statements read them. */
  read<T>(scope: Scope, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.readSnapshot(scope, work);
  }

  /** As `read`, for an answer that one statement reads: without BEGIN and COMMIT, so one round trip less (ADR 0067). */
  readSingle<T>(scope: Scope, query: (reader: Reader) => Promise<T>): Promise<T> {
    return this.database.read(scope, query);
  }

  /** Does the work once: a repeat under the same key gets the bytes of the first answer. */
  async runOnce<O extends Operation>(
    { caller, idempotency }: IdempotentCall<O>,
    work: (tx: Tx) => Promise<ReturnsOf<O>>,
  ): Promise<ReturnsOf<O> | StoredReply> {
    if (idempotency === null) return this.database.transact(caller.scope, work, caller);
    const idempotentRequest = { scope: caller.scope, idempotency, partners: caller };
    const { status, body, replayed } = await runOnce(this.database, idempotentRequest, async (tx) => {
      const returned = await work(tx);
      return returned === undefined ? { status: 204, body: null } : { status: 200, body: returned };
    });
    return new StoredReply(toStoredAnswer({ status, body }), replayed);
  }

  /**
   * Keeps the answer of work that takes more than one transaction: a repeat that comes after its end gets the bytes of
   * the first answer. The work itself sees to it that two of it never run at once.
   */
  async runAndStore<O extends Operation>(
    call: IdempotentCall<O>,
    work: () => Promise<ReturnsOf<O>>,
  ): Promise<ReturnsOf<O> | StoredReply> {
    const returned = await work();
    return call.idempotency === null ? returned : this.runOnce<O>(call, () => Promise.resolve(returned));
  }

  /**
   * Moves money, which takes several transactions: `begin` reserves it under a reference, `pursue` asks the acquirer
   * outside of any, `result` says how that ended. A repeat of the key goes on from where the first request gave up or
   * died, under the same reference; the acquirer's no is bound to the key like its yes.
   */
  async moveMoney<O extends Operation>(
    call: MoneyCall<O>,
    steps: MoneyMovement<ReturnsOf<O>>,
  ): Promise<ReturnsOf<O> | StoredReply> {
    const { database } = this;
    const { scope } = call.caller;
    const idempotency = call.idempotency && { ...call.idempotency, ...steps.storage };
    const idempotentRequest = { scope, idempotency, partners: call.caller };
    const beginning = await beginOperation(database, idempotentRequest, steps.reserve);
    if (beginning.kind === 'answered') return new StoredReply(toStoredAnswer(beginning.answer), true);
    const { point } = beginning;
    try {
      await steps.execute(point);
      const body = await database.readSnapshot(scope, (reader) => steps.getResult(reader, point));
      await completeOperation(database, idempotentRequest, { status: 200, body });
      return body;
    } catch (error) {
      if (error instanceof Refusal && STORED_REFUSALS.has(error.code)) {
        const { status, body } = createProblemResponse(error, { operation: null, traceId: call.traceId });
        await completeOperation(database, idempotentRequest, { status, body: JSON.parse(body) });
      } else {
        await releaseOperation(database, idempotentRequest, point);
      }
      throw error;
    }
  }

  /** What a key was answered before, or null. Refuses a key that was used with another body. */
  async findStoredAnswer({ scope }: Caller, idempotency: Parameters<typeof findStoredAnswer>[1]) {
    const answer = await this.database.read(scope, (reader) => findStoredAnswer(reader, idempotency));
    if (answer === null) return null;
    return toStoredAnswer(answer);
  }
}

function toStoredAnswer({ status, body }: IdempotentAnswer): StoredAnswer {
  return { status, body: body === null ? null : JSON.stringify(body) };
}
