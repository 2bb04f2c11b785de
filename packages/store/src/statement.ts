import { createHash } from 'node:crypto';

/** One SQL text under a name; the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Of a change that is more than one insert, update or delete: the change alone, and what is asked of the rows it gives. */
  readonly part?: { readonly change: string; readonly check: string };
}

/** Names a statement after what it is about; the digest keeps two texts of one name apart. */
export function statement(about: string, text: string): Statement {
  return { name: `${about}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}

/** A change of exactly one row of a table, which the database undoes with all around it when there is none (0010). */
export function changeOfOne(about: string, of: string, change: string): Statement {
  const check = `exactly_one(count(*), '${of}')`;
  return {
    ...statement(about, `with changed as (${change}) select ${check} from changed`),
    part: { change, check },
  };
}
