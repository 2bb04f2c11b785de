import type { Scope } from '@pos/core/identity';
import type { Partners } from '@pos/core/accounts';
import { Refusal } from '@pos/core/refusals';
import type { Database } from '../database/database.js';
import { buildKeyColumns } from './key-columns.js';
import { type IdempotentAnswer, completeKey, findStoredAnswer } from './stored-answers.js';
import type { Idempotency } from './key-columns.js';
import { createInProgressRefusal, type RunningKey, claimKey } from './key-claim.js';
import { defineChange, sql } from '@pos/postgres/statements';
import type { SnapshotReader, Tx } from '../database/transaction.js';

/**
 * Longer than a request runs with the default deadlines. A request that runs longer shares the operation with a repeat
 * of its key: both use one reference, and the answer that is stored first counts.
 */
const LEASE_MS = 30_000;

const LEASE = defineChange(
  'begin_resumable_operation',
  sql.update('idempotency_keys')`set recovery_point = ${6}, leased_until = ${7}
   where account_id = ${1} and environment = ${2} and method = ${3} and path = ${4} and key = ${5} and state = 'Running'
   returning key`,
);

/** The end of the lease is the fence: a request whose lease is over does not end that of a repeat. */
const RELEASE = defineChange(
  'release_resumable_operation',
  sql.update('idempotency_keys')`set leased_until = null
   where account_id = ${1} and environment = ${2} and method = ${3} and path = ${4} and key = ${5}
     and state = 'Running' and leased_until = ${6}
   returning key`,
);

/** A request and its key; without a key each request is a new operation. */
export interface IdempotentRequest {
  readonly scope: Scope;
  readonly idempotency: Idempotency | null;
  /** Stored with the rows of the first step. */
  readonly partners?: Partial<Partners>;
  /** Runs in the first transaction before its work; what it refuses binds nothing. A repeat that continues skips it. */
  readonly checkFirst?: ((tx: Tx) => Promise<void>) | undefined;
}

/** How an operation becomes the answer that its key is bound to. */
export interface AnswerEncoding<Result, Body> {
  /** The body of the answer with status 200, as plain JSON; null: the answer has status 204 and no body. */
  readonly encodeResult: (result: Result) => Body;
  /** The answer of a refusal that is final under the key, or null: a repeat then continues the operation. */
  readonly encodeRefusal: (refusal: Refusal) => IdempotentAnswer | null;
}

/** The steps of an operation that takes several transactions. */
export interface OperationSteps<Result> {
  /** The first transaction: returns the reference under which the operation continues. What it refuses binds nothing. */
  readonly reserve: (tx: Tx) => Promise<string>;
  /**
   * Between the transactions: takes the operation as far as it goes now. Safe to repeat. `isRepeated`: another request has
   * begun it, and may have called the acquirer.
   */
  readonly execute: (reference: string, isRepeated: boolean) => Promise<unknown>;
  /** The result; refuses what was refused, and what has not ended. */
  readonly getResult: (reader: SnapshotReader, reference: string) => Promise<Result>;
  /** How long the answer is kept; 30 days unless set. */
  readonly retentionMs?: number;
}

/** The answer of this request, or the one that the first request under the key was given. */
export type OperationOutcome<Body> =
  | { readonly kind: 'completed'; readonly body: Body }
  | { readonly kind: 'replayed'; readonly answer: IdempotentAnswer };

type OperationStart =
  | {
      readonly kind: 'begun';
      readonly reference: string;
      readonly leasedUntil: Date;
      readonly isRepeated: boolean;
    }
  | { readonly kind: 'answered'; readonly answer: IdempotentAnswer };

/**
 * One request for an operation that takes several transactions, done once per idempotency key. A repeat of the key
 * continues where the first request gave up or crashed, under the same reference.
 */
export class IdempotentOperation<Result, Body> {
  constructor(
    readonly database: Database,
    private readonly request: IdempotentRequest,
    private readonly encoding: AnswerEncoding<Result, Body>,
  ) {}

  get scope(): Scope {
    return this.request.scope;
  }

  /**
   * Reserves, executes, and binds the key to the result, or to the refusal that is final. Refuses
   * `idempotency_in_progress` while another request runs under the key, and `idempotency_key_reused` for another body.
   */
  async run({ retentionMs, ...steps }: OperationSteps<Result>): Promise<OperationOutcome<Body>> {
    const { idempotency } = this.request;
    const key = idempotency && { ...idempotency, ...(retentionMs !== undefined && { retentionMs }) };
    const start = await this.#begin(key, steps.reserve);
    if (start.kind === 'answered') return { kind: 'replayed', answer: start.answer };
    const { reference, leasedUntil, isRepeated } = start;
    try {
      await steps.execute(reference, isRepeated);
      const result = await this.database.readSnapshot(this.scope, (reader) => steps.getResult(reader, reference));
      const body = this.encoding.encodeResult(result);
      const earlier = await this.#complete(key, { status: body === null ? 204 : 200, body });
      return earlier === null ? { kind: 'completed', body } : { kind: 'replayed', answer: earlier };
    } catch (error) {
      const answer = error instanceof Refusal ? this.encoding.encodeRefusal(error) : null;
      if (answer === null) await this.#release(key, leasedUntil);
      else {
        const earlier = await this.#complete(key, answer);
        if (earlier !== null) return { kind: 'replayed', answer: earlier };
      }
      throw error;
    }
  }

  /** Takes the first step once per key. A repeat continues from the stored reference once the lease of the key is over. */
  async #begin(key: Idempotency | null, reserve: (tx: Tx) => Promise<string>): Promise<OperationStart> {
    const { scope, partners, checkFirst } = this.request;
    const begin = async (tx: Tx): Promise<string> => {
      await checkFirst?.(tx);
      return reserve(tx);
    };
    const beginWithKey = async (tx: Tx): Promise<OperationStart> => {
      const leasedUntil = new Date(tx.databaseNow.getTime() + LEASE_MS);
      if (key === null) return { kind: 'begun', reference: await begin(tx), leasedUntil, isRepeated: false };
      const claim = await claimKey(tx, key);
      if (claim.kind === 'answered') return claim;
      if (claim.kind === 'running' && isRunning(claim, tx.databaseNow)) throw createInProgressRefusal();
      const isRepeated = claim.kind === 'running';
      const reference = isRepeated ? claim.recoveryPoint : await begin(tx);
      tx.enqueue(LEASE, [...buildKeyColumns(tx, key), reference, leasedUntil]);
      return { kind: 'begun', reference, leasedUntil, isRepeated };
    };
    return this.database.transact(scope, beginWithKey, partners);
  }

  /**
   * Binds the key to the answer from the commit on. Returns the answer of a repeat that has bound it before, which
   * then counts for both.
   */
  async #complete(key: Idempotency | null, answer: IdempotentAnswer): Promise<IdempotentAnswer | null> {
    if (key === null) return null;
    const binding = await this.database.transact(this.scope, (tx) => completeKey(tx, key, answer));
    if (binding.isBound) return null;
    return this.database.read(this.scope, (reader) => findStoredAnswer(reader, key));
  }

  /** Gives the key up without an answer, so that a repeat may continue at once. */
  async #release(key: Idempotency | null, leasedUntil: Date): Promise<void> {
    if (key === null) return;
    await this.database.transact(this.scope, (tx) => tx.enqueue(RELEASE, [...buildKeyColumns(tx, key), leasedUntil]));
  }
}

/** Whether the first request still runs, or has not stored a reference yet. */
function isRunning({ recoveryPoint, leasedUntil }: RunningKey, now: Date): boolean {
  return recoveryPoint === '' || (leasedUntil !== null && leasedUntil > now);
}
