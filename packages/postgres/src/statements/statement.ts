import { createHash } from 'node:crypto';
import { type ChangeParts, renderSql, sql, type SqlParts } from './sql-parts.js';

/** One SQL text under a name; the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** The statements that are combined in this one. */
  readonly combined?: readonly QueueableStatement[];
}

/** A statement that a transaction may send later, together with others. */
export interface QueueableStatement extends Statement {
  /** How it runs with others in one statement; null: only by itself. */
  readonly part: CombinablePart | null;
}

/** A statement as a part of a combined one. */
export interface CombinablePart extends SqlParts {
  readonly verb: ChangeParts['verb'] | 'select';
  readonly relation: string;
  readonly rowParameters: readonly number[];
  /** An expression over its rows that fails the statement; null for a part without one. */
  readonly check: string | null;
}

/** Names a statement after its subject; the digest distinguishes two texts with one name. */
export function defineStatement(label: string, content: string | SqlParts): Statement {
  const text = typeof content === 'string' ? content : renderSql(content);
  return { name: `${label}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}

/** A change that may run with others in one statement. */
export function defineChange(label: string, change: ChangeParts): QueueableStatement {
  return { ...defineStatement(label, change), part: { ...change, check: null } };
}

/** A change that runs only by itself: work without locks that queues it is repeated under locks. */
export function defineSeparateChange(label: string, text: string): QueueableStatement {
  return { ...defineStatement(label, text), part: null };
}

/** A read of rows that never change, which may run together with changes because it needs no row lock. */
export function defineCombinableRead(label: string, relation: string, read: SqlParts): QueueableStatement {
  return {
    ...defineStatement(label, read),
    part: { verb: 'select', relation, rowParameters: [], ...read, check: null },
  };
}

/** A change of exactly one row; without one the function `exactly_one` of the schema fails the whole transaction. */
export function defineSingleRowChange(label: string, change: ChangeParts): QueueableStatement {
  const check = `exactly_one(count(*), '${change.relation}')`;
  return {
    ...defineStatement(label, sql`with changed as (${change}) select ${check} from changed`),
    part: { ...change, check },
  };
}
