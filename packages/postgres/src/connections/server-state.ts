import { formatServer, type ServerAddress, type SessionAttributes } from './connection-url.js';
import { findSqlState } from '../statements/sql-errors.js';

/** What a server says about itself when a connection opens. */
export interface ServerState {
  readonly isStandby: boolean;
  /** New transactions may not write, for any reason. */
  readonly isReadOnly: boolean;
  /** Rises with each fail-over; null when the server does not say. */
  readonly timeline: number | null;
}

interface StateRow {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** The name of the file that the server writes; its first eight digits are the timeline. */
  readonly walFile: string | null;
}

interface QueryingClient {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
}

const ROLE = `pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;
const STATE = `select ${ROLE}, case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as "walFile"`;
const STATE_WITHOUT_TIMELINE = `select ${ROLE}, null as "walFile"`;

/** Reads the state of the server under a new connection. A managed server may hide its timeline. */
export async function readServerState(client: QueryingClient): Promise<ServerState> {
  const { rows } = await client.query(STATE).catch((error: unknown) => {
    if (!HIDDEN.test(findSqlState(error) ?? '')) throw error;
    return client.query(STATE_WITHOUT_TIMELINE);
  });
  const { walFile, ...role } = rows[0] as StateRow;
  return { ...role, timeline: walFile === null ? null : Number.parseInt(walFile.slice(0, 8), 16) };
}

/** No right to ask, no such function, or a function that this server does not implement. */
const HIDDEN = /^(42501|42883|0A000)$/;

/** What a connection needs of its server. */
export interface ServerRequirement {
  readonly attributes: SessionAttributes;
  /** An older timeline is one from before a fail-over. */
  readonly timelineMin: number;
}

/**
 * Throws an error with the SQLSTATE of a read-only server when the server cannot serve. Reads are refused too: a
 * standby may lag behind what was acknowledged.
 */
export function requireUsable(
  server: ServerAddress,
  { isStandby, isReadOnly, timeline }: ServerState,
  { attributes, timelineMin }: ServerRequirement,
): void {
  if (attributes === 'any') return;
  if (isStandby) throw createReadOnlyError(server, 'is a standby');
  if (attributes === 'read-write' && isReadOnly) throw createReadOnlyError(server, 'is read-only');
  if (timeline !== null && timeline < timelineMin) {
    throw createReadOnlyError(
      server,
      `is a primary of timeline ${timeline}, which timeline ${timelineMin} has replaced`,
    );
  }
}

function createReadOnlyError(server: ServerAddress, reason: string): Error {
  return Object.assign(new Error(`the database server ${formatServer(server)} ${reason}`), { code: READ_ONLY });
}

/** SQLSTATE `read_only_sql_transaction`. */
export const READ_ONLY = '25006';
