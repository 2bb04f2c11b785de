import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const POLL_MS = 20;

/**
 * A snapshot in PostgreSQL's format, taken once every transaction has ended that began before this call. A cursor with
 * another snapshot reads again what such a transaction may have written, and other tests of the server have transactions.
 */
export async function takeSettledSnapshot(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next');
  for (;;) {
    const {
      rows: [snapshot],
    } = await owner.query<{ seen: string; isSettled: boolean }>(
      `select seen::text, pg_snapshot_xmin(seen) >= $1::xid8 as "isSettled" from pg_current_snapshot() seen`,
      [rows[0]!.next],
    );
    if (snapshot!.isSettled) return snapshot!.seen;
    await pause(POLL_MS);
  }
}
