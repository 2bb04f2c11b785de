import { createHash } from 'node:crypto';

/** One SQL text under a name; the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** For a change with more than one insert, update or delete: the change alone, and the check of its rows. */
  readonly combinable?: { readonly change: string; readonly check: string };
}

/** Names a statement after its subject; the digest distinguishes two texts with one name. */
export function defineStatement(label: string, text: string): Statement {
  return { name: `${label}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}

/** A change of exactly one row of a table; without one the database undoes the whole transaction (0010). */
export function defineSingleRowChange(label: string, relation: string, change: string): Statement {
  const check = `exactly_one(count(*), '${relation}')`;
  return {
    ...defineStatement(label, `with changed as (${change}) select ${check} from changed`),
    combinable: { change, check },
  };
}
