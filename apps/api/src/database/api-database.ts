import { Injectable } from '@nestjs/common';
import type { Caller } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import type { Refusal, RefusalCode } from '@pos/core/refusals';
import type { StoredAnswer } from '@pos/service-kit/request-checks';
import { createProblemResponse, type OperationCall, StoredReply } from '@pos/service-kit/http';
import { BOUND_REFUSALS, type Operation, type ReturnsOf } from '@pos/rest-contracts/operation';
import { Database, type Reader, type Tx } from '@pos/store/database';
import {
  findStoredAnswer,
  type IdempotentAnswer,
  IdempotentOperation,
  type OperationOutcome,
  runOnce,
} from '@pos/store/idempotency';

type IdempotentCall<O extends Operation> = Pick<OperationCall<O>, 'idempotency'> & { readonly caller: Caller };

/** `checkFirst` refuses in the transaction that reserves the money. */
type MoneyCall = IdempotentCall<Operation> &
  Pick<OperationCall<Operation>, 'traceId'> & { readonly checkFirst?: (tx: Tx) => Promise<void> };

const STORED_REFUSALS: ReadonlySet<RefusalCode> = new Set(BOUND_REFUSALS);

/** The database as a controller uses it: one read, or one transaction that is done once per idempotency key. */
@Injectable()
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
   * Runs an operation that takes several transactions. Its key is bound to the presented result, or to the refusal of
   * the acquirer; a repeat of the key gets the bytes of the first answer, or continues what has not ended.
   */
  async runOperation<Result, Body>(
    call: MoneyCall,
    present: (result: Result) => Body,
    run: (operation: IdempotentOperation<Result, Body>) => Promise<OperationOutcome<Body>>,
  ): Promise<Body | StoredReply> {
    const { caller, idempotency, traceId, checkFirst } = call;
    const request = { scope: caller.scope, idempotency, partners: caller, checkFirst };
    const encodeRefusal = (refusal: Refusal): IdempotentAnswer | null => {
      if (!STORED_REFUSALS.has(refusal.code)) return null;
      const { status, body } = createProblemResponse(refusal, { operation: null, traceId });
      return { status, body: JSON.parse(body) };
    };
    const outcome = await run(
      new IdempotentOperation(this.database, request, { encodeResult: present, encodeRefusal }),
    );
    return outcome.kind === 'completed' ? outcome.body : new StoredReply(toStoredAnswer(outcome.answer), true);
  }

  /** The same for an operation without a body in its answer. */
  async runDeletion(
    call: MoneyCall,
    run: (operation: IdempotentOperation<null, null>) => Promise<OperationOutcome<null>>,
  ): Promise<StoredReply | undefined> {
    return (await this.runOperation(call, () => null, run)) ?? undefined;
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
