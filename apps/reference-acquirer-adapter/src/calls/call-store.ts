import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Call, CallDetails, CallKind, Decision, NewCall, Outcome } from './call.js';

const CONNECTIONS_MAX = 10;
const PROCESSOR_REF_BYTES = 12;
const SCHEMA = new URL('../../schema.sql', import.meta.url);

/**
 * The calls in PostgreSQL. A row is committed before the processor is called, so that a process that stops at any point
 * leaves the reference under which the next one finds the booking.
 */
export class CallStore {
  readonly #pool: pg.Pool;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Connects, and creates the relation where it does not exist. */
  static async open(url: string, onError: (error: Error) => void): Promise<CallStore> {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS_MAX });
    // A connection that breaks while it is idle is replaced; without a listener it would end the process.
    pool.on('error', onError);
    await pool.query(await readFile(SCHEMA, 'utf8'));
    return new CallStore(pool);
  }

  /** Stores a new call. For a known reference it stores nothing and returns the call that has it. */
  async insert(call: NewCall): Promise<{ readonly call: Call; readonly isNew: boolean }> {
    const { rows } = await this.#pool.query<CallRow>(
      `insert into calls (reference, kind, original_reference, merchant_id, fingerprint, amount, currency, is_sale,
                          release_rest, no_challenge, processor_ref, transaction_id, outcome, decided_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case when $5::text is null then 'REVERSED' end,
               case when $5::text is null then clock_timestamp() end)
       on conflict (reference) do nothing returning *`,
      [
        ...[call.reference, call.kind, call.originalReference, call.merchantId, call.fingerprint, String(call.amount)],
        ...[call.currency, call.isSale, call.releaseRest, call.noChallenge, newProcessorRef(), randomUUID()],
      ],
    );
    const [row] = rows;
    if (row !== undefined) return { call: toCall(row), isNew: true };
    const known = await this.find(call.reference);
    // A refused call has deleted its row in between: this one is then the first.
    return known === null ? this.insert(call) : { call: known, isNew: false };
  }

  async find(reference: string): Promise<Call | null> {
    return this.#findOne('select * from calls where reference = $1', reference);
  }

  /** The authorisation that has this order reference at the processor. */
  async findByProcessorRef(processorRef: string): Promise<Call | null> {
    return this.#findOne('select * from calls where processor_ref = $1', processorRef);
  }

  /** The references of these calls at the processor, with their calls. */
  async findAll(processorRefs: readonly string[]): Promise<Map<string, Call>> {
    const { rows } = await this.#pool.query<CallRow>('select * from calls where processor_ref = any($1)', [
      processorRefs,
    ]);
    return new Map(rows.map((row) => [row.processor_ref, toCall(row)]));
  }

  /**
   * Stores what was decided on a call, unless it is decided already, and returns what is stored. A challenge is
   * replaced by its end. With `lastSent` nothing is stored if a later request was sent: it may be booked.
   */
  async decide(reference: string, decision: Decision, lastSent?: LastSent): Promise<Call> {
    const { rows } = await this.#pool.query<CallRow>(
      `update calls set outcome = $2, payment_id = coalesce($3, payment_id), decided_at = $4, details = details || $5
       where reference = $1 and (outcome is null or outcome = 'CHALLENGED')
       and ($6 or sent_at is not distinct from $7::timestamptz) returning *`,
      [
        ...[reference, decision.outcome, decision.paymentId, decision.decidedAt, JSON.stringify(decision.details)],
        ...[lastSent === undefined, lastSent?.sentAt ?? null],
      ],
    );
    const [row] = rows;
    const stored = row === undefined ? await this.find(reference) : toCall(row);
    if (stored === null) throw new Error(`the call ${reference} is not stored`);
    return stored;
  }

  /** Stores that a reversal was made: the authorisation is reversed with it, in one transaction. */
  async decideReversal(reversal: Call, decision: Decision): Promise<Call> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `update calls set outcome = 'REVERSED', decided_at = coalesce(decided_at, $2) where reference = $1`,
        [reversal.originalReference, decision.decidedAt],
      );
      await client.query(
        `update calls set outcome = $2, decided_at = $3, details = details || $4 where reference = $1 and outcome is null`,
        [reversal.reference, decision.outcome, decision.decidedAt, JSON.stringify(decision.details)],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
    return this.decide(reversal.reference, decision);
  }

  /**
   * Notes that a request to the processor is about to be sent. `isFirst`: no other of any process may have arrived. Null:
   * the call was decided in the meantime, and nothing may be sent.
   */
  async markSent(reference: string): Promise<(LastSent & { readonly isFirst: boolean }) | null> {
    const { rows } = await this.#pool.query<{ sent_at: string; is_first: boolean }>(
      `with earlier as (select sent_at from calls where reference = $1 for update)
       update calls set sent_at = clock_timestamp() from earlier
       where reference = $1 and (outcome is null or outcome = 'CHALLENGED')
       returning calls.sent_at::text, earlier.sent_at is null as is_first`,
      [reference],
    );
    const [row] = rows;
    return row === undefined ? null : { sentAt: row.sent_at, isFirst: row.is_first };
  }

  /** Notes that the first request has certainly not arrived. */
  async unmarkSent(reference: string, { sentAt }: LastSent): Promise<void> {
    await this.#pool.query('update calls set sent_at = null where reference = $1 and sent_at = $2::timestamptz', [
      ...[reference, sentAt],
    ]);
  }

  /** The last request of an undecided call, if it was sent longer ago than this; otherwise null. */
  async findAbandoned(reference: string, afterMs: number): Promise<LastSent | null> {
    const { rows } = await this.#pool.query<{ sent_at: string | null }>(
      `select sent_at::text from calls where reference = $1 and outcome is null
       and coalesce(sent_at, created_at) < clock_timestamp() - make_interval(secs => $2::double precision / 1000)`,
      [reference, afterMs],
    );
    const [row] = rows;
    return row === undefined ? null : { sentAt: row.sent_at };
  }

  /** Deletes a call whose only request was refused before anything was booked. False: another was sent, or it is decided. */
  async remove(reference: string, { sentAt }: LastSent): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'delete from calls where reference = $1 and outcome is null and sent_at = $2::timestamptz',
      [reference, sentAt],
    );
    return rowCount === 1;
  }

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  /** The time of the database, which every process of the adapter shares. */
  async now(): Promise<Date> {
    const { rows } = await this.#pool.query<{ now: Date }>('select clock_timestamp() as now');
    const [row] = rows;
    if (row === undefined) throw new Error('the database has no time');
    return row.now;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #findOne(statement: string, value: string): Promise<Call | null> {
    const { rows } = await this.#pool.query<CallRow>(statement, [value]);
    const [row] = rows;
    return row === undefined ? null : toCall(row);
  }
}

/** When the last request of a call was sent, as PostgreSQL writes it to the microsecond; null: none was. */
export interface LastSent {
  readonly sentAt: string | null;
}

interface CallRow {
  readonly reference: string;
  readonly kind: CallKind;
  readonly original_reference: string | null;
  readonly merchant_id: string;
  readonly fingerprint: string | null;
  /** int8 arrives from the driver as text. */
  readonly amount: string;
  readonly currency: string;
  readonly is_sale: boolean;
  readonly release_rest: boolean;
  readonly no_challenge: boolean;
  readonly processor_ref: string;
  readonly payment_id: string | null;
  readonly transaction_id: string;
  readonly outcome: Outcome | null;
  readonly decided_at: Date | null;
  readonly details: CallDetails;
  readonly sent_at: Date | null;
}

function toCall(row: CallRow): Call {
  return {
    ...{ reference: row.reference, kind: row.kind, originalReference: row.original_reference },
    ...{ merchantId: row.merchant_id, fingerprint: row.fingerprint, amount: BigInt(row.amount) },
    ...{ currency: row.currency, isSale: row.is_sale, releaseRest: row.release_rest },
    noChallenge: row.no_challenge,
    ...{ processorRef: row.processor_ref, paymentId: row.payment_id, transactionId: row.transaction_id },
    ...{ outcome: row.outcome, decidedAt: row.decided_at, details: row.details, sentAt: row.sent_at },
  };
}

/** A reference that the processor takes: 24 capital letters and digits. */
function newProcessorRef(): string {
  return randomBytes(PROCESSOR_REF_BYTES).toString('hex').toUpperCase();
}
