import { parse } from 'libpg-query';

/** A node of the syntax tree that PostgreSQL's own parser makes, as JSON. */
export type SqlNode = Readonly<Record<string, unknown>>;

/** The statements of a text, each under the name of its kind. */
export async function parseSql(sql: string): Promise<SqlNode[]> {
  const { stmts = [] } = (await parse(sql)) as { readonly stmts?: readonly { readonly stmt?: SqlNode }[] };
  return stmts.map(({ stmt = {} }) => stmt);
}

/** The node in a member; null when there is none. */
export function childNode(node: SqlNode, member: string): SqlNode | null {
  const child = node[member];
  return isNode(child) ? child : null;
}

export function isNode(value: unknown): value is SqlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nodes in a list; empty when there is none. */
export function childNodes(node: SqlNode, member: string): SqlNode[] {
  const children = node[member];
  return Array.isArray(children) ? (children as SqlNode[]) : [];
}

/** The text in a member; empty when there is none. */
export function textOf(node: SqlNode, member: string): string {
  const text = node[member];
  return typeof text === 'string' ? text : '';
}
