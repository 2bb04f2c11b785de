import { assert } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import { createSeededBytes, createTimeOrderedBytes } from '@pos/core/ids';
import { createRandomBytes } from '../crypto/random-bytes.js';
import type { DedicatedConnection } from '@pos/postgres/connections';
import { defineStatement } from '@pos/postgres/statements';

/** The source of ids and secrets. */
export interface RandomSource {
  /** Sixteen bytes for an id. */
  idBytes(scope: Scope, kind: string, at: Date): Promise<Uint8Array>;
  bytes(scope: Scope, kind: string, length: number): Promise<Uint8Array>;
}

/** Random bytes, with the time at the beginning of ids. */
export const SYSTEM_RANDOM: RandomSource = {
  idBytes: (_scope, _kind, at) => Promise.resolve(createTimeOrderedBytes(at, createRandomBytes(16))),
  bytes: (_scope, _kind, length) => Promise.resolve(createRandomBytes(length)),
};

const NEXT_COUNTER = defineStatement(
  'create_seeded_random',
  `insert into id_counters (account_id, environment, kind, last) values ($1, $2, $3, 1)
   on conflict (account_id, environment, kind) do update set last = id_counters.last + 1
   returning last`,
);

/**
 * Draws that a seed decides: the n-th draw of a kind in a scope is always the same. The counter is raised outside the
 * caller's transaction, so that it never holds a lock and an undone transaction leaves a gap, the same gap every time.
 */
export function createSeededRandom(seed: string, connection: DedicatedConnection): RandomSource {
  const bytes = async ({ accountId, environment }: Scope, kind: string, length: number): Promise<Uint8Array> => {
    const [counter] = await connection.query<{ last: number }>(NEXT_COUNTER, [accountId, environment, kind]);
    assert(counter !== undefined, 'the counter gave no number');
    return createSeededBytes({ seed, accountId, kind: `${environment}/${kind}`, counter: counter.last }, length);
  };
  return { bytes, idBytes: (scope, kind) => bytes(scope, kind, 16) };
}
