import { type Environment, parseKnownId, type Scope } from '@pos/core/identity';
import { LessThan, Not } from 'typeorm';
import { testerRuns, type TesterRunRow } from '../relations/account-relations.js';
import type { SystemReader } from '../database/database.js';
import { buildPage, type Cursor, type Direction, DIRECTIONS, type Page, startValues } from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';
import {
  countScopedRows,
  deleteScopedRows,
  insertScopedRow,
  selectRow,
  updateScopedRows,
} from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';
import { lockAccount } from './accounts.js';

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
  'list_interrupted_tester_runs',
  `select account_id, environment, id from tester_runs where status = 'IN_PROGRESS' and started_at < $1 limit 1000`,
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
  await insertScopedRow(tx, testerRuns, toRow(run));
}

export async function findTesterRun(reader: Reader, id: string): Promise<TesterRun | null> {
  const row = await selectRow(reader, testerRuns, { id });
  return row === null ? null : toRun(row);
}

/** Stores the progress of a run. False for a run that has ended, which is not changed any more. */
export async function updateTesterRun(
  tx: Tx,
  run: Pick<TesterRun, 'id' | 'status' | 'finishedAt' | 'steps'>,
): Promise<boolean> {
  const set = { status: run.status, finished_at: run.finishedAt, steps: run.steps };
  return (await updateScopedRows(tx, testerRuns, { where: { id: run.id, finished_at: null }, set })) === 1;
}

/** A run without its steps: how many began, and which failed first. */
export interface TesterRunSummary extends Omit<TesterRun, 'steps' | 'params'> {
  readonly stepCount: number;
  readonly failedStep: string | null;
}

const PAGES = { older: definePage('older'), newer: definePage('newer') };

/** A page of runs, newest first, from a cursor on in one direction. */
export async function searchTesterRuns(
  reader: Reader,
  query: { readonly limit: number; readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<Page<TesterRunSummary>> {
  const { accountId, environment } = reader.scope;
  const values = [accountId, environment, ...startValues(query), query.limit + 1];
  const rows = await reader.query<TesterRunSummary>(PAGES[query.direction], values);
  const page = buildPage(
    rows.map((row) => ({ ...row, createdAt: row.startedAt })),
    query,
  );
  return { ...page, elements: page.elements.map(({ createdAt: _createdAt, ...run }) => run) };
}

function definePage(direction: Direction) {
  const { sign, order } = DIRECTIONS[direction];
  return defineStatement(
    `list_tester_runs_${direction}`,
    `select id, flow, status, started_at as "startedAt", finished_at as "finishedAt",
       jsonb_array_length(steps)::int as "stepCount",
       (select step ->> 'name' from jsonb_array_elements(steps) with ordinality as each(step, place)
        where step ->> 'status' in ('FAILURE', 'TIMED_OUT') order by place limit 1) as "failedStep"
     from tester_runs
     where account_id = $1 and environment = $2
       and (started_at, id) ${sign} ($3::timestamptz, $4::text)
     order by started_at ${order}, id ${order} limit $5`,
  );
}

/**
 * Prevents that another run of the account begins before the commit: two concurrent starts would both see the last
 * free place.
 */
export async function lockTesterRuns(tx: Tx): Promise<void> {
  await lockAccount(tx);
}

/** The number of runs of the scope that have not ended. */
export function countRunningTesterRuns(reader: Reader): Promise<number> {
  return countScopedRows(reader, testerRuns, { status: 'IN_PROGRESS' });
}

/** Deletes the ended runs that began before a time; returns their number. */
export function deleteTesterRuns(tx: Tx, startedBefore: Date): Promise<number> {
  const endedStatus = Not<TesterRunStatus>('IN_PROGRESS');
  return deleteScopedRows(tx, testerRuns, { started_at: LessThan(startedBefore), status: endedStatus });
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
