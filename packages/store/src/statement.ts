import { createHash } from 'node:crypto';

/** One SQL text under a name; the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Names a statement after what it is about; the digest keeps two texts of one name apart. */
export function statement(about: string, text: string): Statement {
  return { name: `${about}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}
