import { assert } from '@pos/core/refusals';
import { type Statement, defineStatement } from './statement.js';
import type { PipelinedStatement } from './pipeline.js';

/** A queued change, and the callback that receives its rows. */
export interface QueuedStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly onRows: ((rows: readonly unknown[]) => void) | undefined;
}

/** Several changes as one statement, and the distribution of its rows to their callbacks. */
export interface CombinedStatement {
  readonly statement: PipelinedStatement;
  deliverRows(rows: readonly unknown[]): void;
}

const CHANGE = /^\s*(insert|update|delete)\b/i;

/**
 * Combines several changes into one statement, so that they are one transaction without BEGIN and COMMIT. None of
 * them sees the effect of another, so no two may change the same row. Null if one of them is no plain change.
 * Callbacks receive rows as JSON represents them, times as text.
 */
export function combineStatements(changes: readonly QueuedStatement[]): CombinedStatement | null {
  const [only] = changes;
  if (only === undefined || changes.some((each) => findCombinable(each.statement) === null)) return null;
  if (changes.length === 1) {
    return { statement: only, deliverRows: (rows) => only.onRows?.(rows) };
  }
  requireOneChangePerTimer(changes);
  return {
    statement: { statement: buildStatement(changes), values: collectValues(changes) },
    deliverRows: (rows) => {
      const [row] = rows as Readonly<Record<string, readonly unknown[]>>[];
      changes.forEach(({ onRows }, index) => onRows?.(row?.[`part_${index}`] ?? []));
    },
  };
}

/** The first two values of every statement of a scope are the scope. */
const SCOPE_VALUES = 2;
/** Those behind them name the timer in every change of one: its kind and its subject. */
const TIMER_CHANGE = /^\s*(?:insert into|update|delete from) timers\b/i;

/** If one statement changes a row twice, the database makes only one change, and does not report which. */
function requireOneChangePerTimer(changes: readonly QueuedStatement[]): void {
  const changed = new Set<string>();
  for (const { statement, values } of changes) {
    if (!TIMER_CHANGE.test(findCombinable(statement)?.change ?? '')) continue;
    const name = values.slice(SCOPE_VALUES, SCOPE_VALUES + 2).join(' ');
    assert(!changed.has(name), `the timer ${name} is changed twice in one statement`);
    changed.add(name);
  }
}

function collectValues(changes: readonly QueuedStatement[]): unknown[] {
  return changes.flatMap(({ values }, index) => (index === 0 ? values : values.slice(SCOPE_VALUES)));
}

/** There are as many texts as kinds of work. */
const statementCache = new Map<string, Statement>();

function buildStatement(changes: readonly QueuedStatement[]): Statement {
  const shape = changes.map((each) => `${each.statement.name}${each.onRows === undefined ? '' : '!'}`).join(' ');
  let statement = statementCache.get(shape);
  if (statement === undefined) {
    statement = defineStatement('send_combined_changes', buildSql(changes));
    statementCache.set(shape, statement);
  }
  return statement;
}

function buildSql(changes: readonly QueuedStatement[]): string {
  const subqueries: string[] = [];
  const selections: string[] = [];
  let valueCount = SCOPE_VALUES;
  changes.forEach(({ statement, values, onRows }, index) => {
    const { change, check } = findCombinable(statement) ?? { change: '', check: null };
    const offset = valueCount - SCOPE_VALUES;
    const shifted = change.replaceAll(/\$(\d+)/g, (_, parameterNumber: string) =>
      Number(parameterNumber) <= SCOPE_VALUES ? `$${parameterNumber}` : `$${Number(parameterNumber) + offset}`,
    );
    valueCount += values.length - SCOPE_VALUES;
    subqueries.push(`part_${index} as (${shifted})`);
    if (check !== null) selections.push(`(select ${check} from part_${index}) as part_${index}`);
    else if (onRows !== undefined) {
      selections.push(
        `(select coalesce(jsonb_agg(to_jsonb(part_${index})), '[]') from part_${index}) as part_${index}`,
      );
    }
  });
  return `with ${subqueries.join(', ')} select ${selections.length === 0 ? '1 as done' : selections.join(', ')}`;
}

function findCombinable({
  combinable,
  text,
}: Statement): { readonly change: string; readonly check: string | null } | null {
  return combinable ?? (CHANGE.test(text) ? { change: text, check: null } : null);
}
