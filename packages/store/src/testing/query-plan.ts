import { assert } from '@pos/core/refusals';
import pg from 'pg';

/** A node of a plan that `explain (analyze, buffers, format json)` returns, as far as it is counted. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows the scans of a plan read, those of its subqueries too. */
export function countRows(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = /Scan$/.test(node['Node Type']) && !/CTE|Subquery/.test(node['Node Type']);
  const below = (node.Plans ?? []).reduce((sum, each) => sum + countRows(each), 0);
  return below + (own ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0);
}

/** How many pages of the database the plan read, from memory or from disk. */
export function countBuffers(plan: PlanNode): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** A statement as it is sent. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs the statement as the server does for a name it knows: with a plan for these values, or for any. */
export async function explainStatement(
  owner: pg.Client,
  { text, values }: SentStatement,
  mode: 'custom' | 'generic',
): Promise<PlanNode> {
  await owner.query(`set plan_cache_mode = force_${mode}_plan; prepare search as ${text}`);
  try {
    const { rows } = await owner.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `explain (analyze, buffers, timing off, format json) execute search (${values.map(literal).join(', ')})`,
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  } finally {
    await owner.query('deallocate search');
  }
}

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
  assert(typeof value === 'string', 'a search has texts, times, numbers and lists');
  return pg.escapeLiteral(value);
};
