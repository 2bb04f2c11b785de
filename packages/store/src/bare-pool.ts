import pg from 'pg';
import { exactTypes } from './exact-types.js';
import type { Statement } from './statement.js';

/** One plain connection: named statements and nothing else. */
export interface BareConnection {
  query(statement: Statement | string, values?: readonly unknown[]): Promise<unknown[]>;
}

/** Plain pooled connections without scope, clock, deadline or hints: the floor that benchmarks measure the store against. */
export interface BarePool {
  use<T>(work: (connection: BareConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openBarePool(url: string, max: number): BarePool {
  const pool = new pg.Pool({ connectionString: url, max, types: exactTypes });
  return {
    use: async (work) => {
      const client = await pool.connect();
      try {
        return await work({
          query: async (asked, values = []) => {
            const { rows } = await client.query<pg.QueryResultRow>(
              typeof asked === 'string' ? { text: asked } : { ...asked, values: [...values] },
            );
            return rows;
          },
        });
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}
