import { assert } from '@pos/core/refusals';
import type { PipelinedStatement } from './pipeline.js';
import { renderSql } from './sql-parts.js';
import { type CombinablePart, defineStatement, type QueueableStatement, type Statement } from './statement.js';

/** A queued change, and the callback that receives its rows. */
export interface QueuedStatement<Kind extends Statement = Statement> {
  readonly statement: Kind;
  readonly values: readonly unknown[];
  readonly onRows: ((rows: readonly unknown[]) => void) | undefined;
}

/** Several changes as one statement, and the distribution of its rows to their callbacks. */
export interface CombinedStatement {
  readonly statement: PipelinedStatement;
  deliverRows(rows: readonly unknown[]): void;
}

/** A change with how it is combined. */
interface CombinableChange extends QueuedStatement<QueueableStatement> {
  readonly part: CombinablePart;
}

/** The first values of all changes of a transaction are the same, such as its account: they are sent once. */
const SHARED_VALUES = 2;

/**
 * Combines several changes into one statement, so that they are one transaction without BEGIN and COMMIT. None of
 * them sees the effect of another, so no two may change the same row. Null if one of them runs only by itself.
 * Callbacks receive rows as JSON represents them, times as text.
 */
export function combineStatements(queued: readonly QueuedStatement<QueueableStatement>[]): CombinedStatement | null {
  const changes = queued.flatMap((each) => {
    const { part } = each.statement;
    return part === null ? [] : [{ ...each, part }];
  });
  const [only] = changes;
  if (only === undefined || changes.length < queued.length) return null;
  if (changes.length === 1) {
    return { statement: only, deliverRows: (rows) => only.onRows?.(rows) };
  }
  requireSharedValues(changes);
  requireOneChangePerRow(changes);
  return {
    statement: { statement: findOrBuildStatement(changes), values: collectValues(changes) },
    deliverRows: (rows) => {
      const [row] = rows as Readonly<Record<string, readonly unknown[]>>[];
      changes.forEach(({ onRows }, index) => onRows?.(row?.[`part_${index}`] ?? []));
    },
  };
}

/** Otherwise a change would be made with values of another one. */
function requireSharedValues([first, ...others]: readonly CombinableChange[]): void {
  for (const { statement, values } of others) {
    for (let index = 0; index < SHARED_VALUES; index += 1)
      assert(values[index] === first?.values[index], `${statement.name} is combined with a change of another scope`);
  }
}

/** If one statement changes a row twice, the database makes only one change, and does not report which. */
function requireOneChangePerRow(changes: readonly CombinableChange[]): void {
  const changed = new Set<string>();
  for (const { part, values } of changes) {
    if (part.rowParameters.length === 0) continue;
    const row = [part.relation, ...part.rowParameters.map((each) => values[each - 1])].join(' ');
    assert(!changed.has(row), `the row ${row} is changed twice in one statement`);
    changed.add(row);
  }
}

function collectValues(changes: readonly CombinableChange[]): unknown[] {
  return changes.flatMap(({ values }, index) => (index === 0 ? values : values.slice(SHARED_VALUES)));
}

/** There are as many texts as kinds of work. */
const statementCache = new Map<string, Statement>();

function findOrBuildStatement(changes: readonly CombinableChange[]): Statement {
  const shape = changes.map((each) => `${each.statement.name}${each.onRows === undefined ? '' : '!'}`).join(' ');
  let statement = statementCache.get(shape);
  if (statement === undefined) {
    const combined = changes.map((each) => each.statement);
    statement = { ...defineStatement('send_combined_changes', renderCombined(changes)), combined };
    statementCache.set(shape, statement);
  }
  return statement;
}

/** Each change is a subquery, whose own parameters follow those of the changes before it. */
function renderCombined(changes: readonly CombinableChange[]): string {
  const subqueries: string[] = [];
  const selections: string[] = [];
  let offset = 0;
  changes.forEach(({ part, values, onRows }, index) => {
    const shift = offset;
    const text = renderSql(part, (parameter) => (parameter <= SHARED_VALUES ? parameter : parameter + shift));
    offset += values.length - SHARED_VALUES;
    subqueries.push(`part_${index} as (${text})`);
    if (part.check !== null) selections.push(`(select ${part.check} from part_${index}) as part_${index}`);
    else if (onRows !== undefined) {
      selections.push(
        `(select coalesce(jsonb_agg(to_jsonb(part_${index})), '[]') from part_${index}) as part_${index}`,
      );
    }
  });
  return `with ${subqueries.join(', ')} select ${selections.length === 0 ? '1 as done' : selections.join(', ')}`;
}
