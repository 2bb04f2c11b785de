import pg from 'pg';
import { exactTypeParsers, type Statement } from '@pos/postgres/statements';

/** One plain connection: named statements and nothing else. */
export interface PlainConnection {
  query(statement: Statement | string, values?: readonly unknown[]): Promise<unknown[]>;
}

/** Plain pooled connections without scope, clock, deadline or hints: the floor for measurements of the store. */
export interface PlainPool {
  withConnection<T>(work: (connection: PlainConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openPlainPool(url: string, max: number): PlainPool {
  const pool = new pg.Pool({ connectionString: url, max, types: exactTypeParsers });
  return {
    withConnection: async (work) => {
      const client = await pool.connect();
      try {
        return await work({
          query: async (sql, values = []) => {
            const { rows } = await client.query<pg.QueryResultRow>(
              typeof sql === 'string' ? { text: sql } : { ...sql, values: [...values] },
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

/** One plain connection that stays open, for work that a pool would divide. */
export type PlainClient = pg.Client;

/** Connects to a database. The caller ends the connection. */
export async function connectPlainClient(url: string): Promise<PlainClient> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
