import { createHash } from 'node:crypto';

/** One SQL text under a name; the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * For a statement that is no plain insert, update or delete: the part that runs together with others, and the check
   * of its rows, if there is one.
   */
  readonly combinable?: { readonly change: string; readonly check: string | null };
}

/** Names a statement after its subject; the digest distinguishes two texts with one name. */
export function defineStatement(label: string, text: string): Statement {
  return { name: `${label}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}

/** A read of rows that never change, which may run together with changes because it needs no row lock. */
export function defineCombinableRead(label: string, text: string): Statement {
  return { ...defineStatement(label, text), combinable: { change: text, check: null } };
}

/** A change of exactly one row of a table; without one the database undoes the whole transaction (0010). */
export function defineSingleRowChange(label: string, relation: string, change: string): Statement {
  const check = `exactly_one(count(*), '${relation}')`;
  return {
    ...defineStatement(label, `with changed as (${change}) select ${check} from changed`),
    combinable: { change, check },
  };
}
