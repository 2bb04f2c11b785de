import { assert } from '@pos/core/refusals';
import { hashKey } from '@pos/core/ids';
import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import type { DataSource } from 'typeorm';
import type { DedicatedConnection } from '@pos/postgres/connections';
import { defineStatement } from '@pos/postgres/statements';
import { column, entitySchema } from '../relations/relation.js';

const NAME_BYTES = 16;

/** One row for each bucket, over all accounts. */
export const tokenBucketSchema = entitySchema('token_buckets', {
  name: { ...column.bytes.options, primary: true },
  burst: { type: 'double precision' },
  per_second: { type: 'double precision' },
  spent: { type: 'integer' },
  wanted: { type: 'integer' },
  granted: { type: 'integer' },
  tokens: { type: 'double precision' },
  updated_at: column.timestamp.options,
});

/**
 * By how much a row may be ahead of the clock. A row that is further ahead was written before the clock stepped
 * back; its bucket fills again from now on.
 */
const INVERSION_MAX = `interval '1 second'`;

/**
 * Subtracts what was spent, even below zero, and then grants what is left. Tokens that were counted alone were spent
 * while tokens were refilled: the refill of this time is added before the bucket is cut to its burst. Otherwise it
 * would be lost although the spent tokens are charged. For the time before the row was last changed the lost refill
 * is unknown; there it replaces what was spent. Rows are locked in the order of their names, so two processes with
 * the same rows do not deadlock.
 */
const TAKE_TOKENS = defineStatement(
  'take_tokens',
  `insert into token_buckets as held (name, burst, per_second, spent, wanted, granted, tokens, updated_at)
   select name, burst, per_second, spent, wanted, granted, before - granted, clock_timestamp()
   from unnest($1::bytea[], $2::float8[], $3::float8[], $4::integer[], $5::integer[])
     as request (name, burst, per_second, spent, wanted),
     lateral (select ($6::float8[])[array_position($1::bytea[], name)] as seconds) alone,
     lateral (select greatest(-burst, least(burst, burst + alone.seconds * per_second - spent)) as before) due,
     lateral (select greatest(0, least(wanted, floor(before))) as granted) answer
   order by name
   on conflict (name) do update set
     (burst, per_second, spent, wanted, granted, tokens, updated_at) = (
       select excluded.burst, excluded.per_second, excluded.spent, excluded.wanted, answer.granted,
         due.before - answer.granted, case
           when held.updated_at > clock_timestamp() + ${INVERSION_MAX} then excluded.updated_at
           else greatest(held.updated_at, excluded.updated_at)
         end
       from (select ($6::float8[])[array_position($1::bytea[], excluded.name)] as seconds) alone,
         lateral (select extract(epoch from greatest(interval '0', excluded.updated_at - held.updated_at))::float8 as seconds) passed,
         lateral (select least(alone.seconds, passed.seconds) as since, greatest(0, alone.seconds - passed.seconds) as earlier) part,
         lateral (select least(excluded.burst, held.tokens + (passed.seconds - part.since) * excluded.per_second)
           + part.since * excluded.per_second as now) filled,
         lateral (select excluded.spent - least(greatest(0, excluded.spent), part.earlier * excluded.per_second) as tokens) spent,
         lateral (select greatest(-excluded.burst, least(excluded.burst, filled.now - spent.tokens)) as before) due,
         lateral (select greatest(0, least(excluded.wanted, floor(due.before))) as granted) answer
     )
   returning name, granted, tokens`,
);

const DELETED_MAX = 5_000;

/**
 * Deletes buckets that are full again, and those that were written before the clock stepped back. A row that a
 * process is changing is left for the next time.
 */
const DELETE_FULL = defineStatement(
  'delete_full_buckets',
  `delete from token_buckets where name in (
     select name from token_buckets
     where updated_at + (burst - tokens) / per_second * interval '1 second' <= clock_timestamp()
       or updated_at > clock_timestamp() + ${INVERSION_MAX}
     limit ${DELETED_MAX} for update skip locked)`,
);

/** The shared buckets of one app, on their own connection. */
export class TokenBuckets {
  readonly #connection: DedicatedConnection;
  readonly #pepper: string | Uint8Array;
  readonly #app: string;

  constructor(
    connection: DedicatedConnection,
    { pepper, app }: { readonly pepper: string | Uint8Array; readonly app: string },
  ) {
    this.#connection = connection;
    this.#pepper = pepper;
    this.#app = app;
  }

  /** Answers the requests in their order, with one statement. No two may have the same name. */
  async take(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    const names = requests.map(({ name }) => this.#hash(name));
    const rows = await this.#connection.query<TokenGrant & { readonly name: Buffer }>(TAKE_TOKENS, [
      names,
      requests.map(({ allowance }) => allowance.burst),
      requests.map(({ allowance }) => allowance.perSecond),
      requests.map(({ spent }) => spent),
      requests.map(({ wanted }) => wanted),
      requests.map(({ aloneSeconds }) => aloneSeconds),
    ]);
    const grants = new Map(rows.map((row) => [row.name.toString('hex'), row]));
    return names.map((name) => {
      const grant = grants.get(name.toString('hex'));
      assert(grant !== undefined, 'a bucket was asked for and not answered');
      return { granted: grant.granted, tokens: grant.tokens };
    });
  }

  /** The relation holds no address and no id in clear. */
  #hash(name: string): Buffer {
    return hashKey(this.#pepper, `${this.#app} ${name}`).subarray(0, NAME_BYTES);
  }
}

/** Deletes some buckets that are not needed any more. True if there may be more. */
export async function deleteFullBuckets(database: { readonly dataSource: DataSource }): Promise<boolean> {
  const [, deleted] = await database.dataSource.query<[unknown[], number]>(DELETE_FULL.text);
  return deleted >= DELETED_MAX;
}
