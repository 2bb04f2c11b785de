import { type Environment, parseKnownId, type Scope } from '@pos/core/identity/identity';
import { testerRuns, type TesterRunRow } from '../relations/account-relations.js';
import type { SystemReader } from '../database/database.js';
import { defineStatement } from '../postgres/statement.js';
import { findRow, insertRow, updateRows } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A run of the EPOS tester. Steps and parameters are plain JSON whose shape its app owns. Times are database time. */
export interface TesterRun {
  /** A UUID with hyphens. */
  readonly id: string;
  readonly flow: string;
  readonly status: TesterRunStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly steps: readonly unknown[];
  readonly params: Readonly<Record<string, unknown>>;
}

export type TesterRunStatus = 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'TIMED_OUT';

const INTERRUPTED = defineStatement(
  'tester_runs_interrupted',
  `select account_id, environment, id from tester_runs where status = 'IN_PROGRESS' and started_at < $1 limit 1000`,
);

const RUNNING = defineStatement(
  'tester_runs_running',
  `select count(*) as running from tester_runs
   where account_id = $1 and environment = $2 and status = 'IN_PROGRESS'`,
);

const LOCK_ACCOUNT = defineStatement(
  'tester_runs_starts',
  `select account_id from accounts where account_id = $1 for no key update`,
);

const DELETE_ENDED = defineStatement(
  'tester_runs_forget',
  `delete from tester_runs
   where account_id = $1 and environment = $2 and started_at < $3 and status <> 'IN_PROGRESS' returning id`,
);

/**
 * The runs over all accounts that began before a time and have not ended; read without locks at the start of a
 * process.
 */
export async function listInterruptedTesterRuns(
  reader: SystemReader,
  startedBefore: Date,
): Promise<{ readonly scope: Scope; readonly id: string }[]> {
  const rows = await reader.query<{ account_id: string; environment: Environment; id: string }>(INTERRUPTED, [
    startedBefore,
  ]);
  return rows.map(({ account_id: accountId, environment, id }) => ({
    scope: { accountId: parseKnownId('account', accountId), environment },
    id,
  }));
}

export async function insertTesterRun(tx: Tx, run: TesterRun): Promise<void> {
  insertRow(tx, testerRuns, toRow(run));
}

export async function findTesterRun(reader: Reader, id: string): Promise<TesterRun | null> {
  const row = await findRow(reader, testerRuns, { where: { id } });
  return row === null ? null : toRun(row);
}

/** Stores the progress of a run. False for a run that has ended, which is not changed any more. */
export async function updateTesterRun(
  tx: Tx,
  run: Pick<TesterRun, 'id' | 'status' | 'finishedAt' | 'steps'>,
): Promise<boolean> {
  const set = { status: run.status, finished_at: run.finishedAt, steps: run.steps };
  return (await updateRows(tx, testerRuns, { where: { id: run.id, finished_at: null }, set })) === 1;
}

/**
 * Prevents that another run of the account begins before the commit: two concurrent starts would both see the last
 * free place.
 */
export async function lockTesterRuns(tx: Tx): Promise<void> {
  await tx.query(LOCK_ACCOUNT, [tx.scope.accountId]);
}

/** The number of runs of the scope that have not ended. */
export async function countRunningTesterRuns(reader: Reader): Promise<number> {
  const [row] = await reader.query<{ running: number }>(RUNNING, [reader.scope.accountId, reader.scope.environment]);
  return row?.running ?? 0;
}

/** Deletes the ended runs that began before a time; returns their number. */
export async function deleteTesterRuns(tx: Tx, startedBefore: Date): Promise<number> {
  return (await tx.query(DELETE_ENDED, [tx.scope.accountId, tx.scope.environment, startedBefore])).length;
}

function toRow(run: TesterRun): TesterRunRow {
  return {
    id: run.id,
    flow: run.flow,
    status: run.status,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    steps: run.steps,
    params: run.params,
  };
}

function toRun(row: TesterRunRow): TesterRun {
  return {
    id: row.id,
    flow: row.flow,
    status: row.status,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    steps: row.steps,
    params: row.params,
  };
}
