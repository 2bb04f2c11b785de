import { COORDINATOR_RELATIONS, REFERENCE_RELATIONS } from '../migrations/distribute.js';
import { childNode, childNodes, isNode, parseSql, type SqlNode, textOf } from './sql-tree.js';

/** What the database says about its functions. */
export interface FunctionCatalogue {
  /** By name and number of arguments, `lower/1`: immutable, stable or volatile, the last that applies. */
  readonly volatility: ReadonlyMap<string, 'i' | 's' | 'v'>;
}

/** Relations of which every node, or the coordinator alone, has all rows. */
const WHOLE_RELATIONS: ReadonlySet<string> = new Set([...REFERENCE_RELATIONS, ...COORDINATOR_RELATIONS]);
const CHANGES = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'];
const QUERIES = ['SelectStmt', ...CHANGES];
const CONDITIONAL = ['CaseExpr', 'CoalesceExpr', 'onConflictClause'];
/** They mean nothing across nodes, or exclude nobody there. */
const NODE_FUNCTIONS =
  /^(nextval|currval|lastval|set_config|pg_(try_)?advisory_\w+|pg_current_xact_id|pg_current_snapshot|pg_visible_in_snapshot|pg_snapshot_\w+|txid_\w+)$/;

/**
 * The reasons why a statement would not run on Citus, or would not mean there what it means on one server. Empty: it
 * runs on both.
 */
export async function findStatementProblems(sql: string, catalogue: FunctionCatalogue): Promise<string[]> {
  const problems = new Set<string>();
  for (const statement of await parseSql(sql)) {
    const names = new Set(listNodes(statement, 'CommonTableExpr').map(({ node }) => textOf(node, 'ctename')));
    for (const kind of QUERIES) {
      for (const node of listNodes(statement, kind).flatMap(({ node: each }) => listArms(each))) {
        const level = { kind, node, names };
        for (const problem of [
          ...checkAccounts(level),
          ...(CHANGES.includes(kind) ? checkChange(node, catalogue) : []),
        ])
          problems.add(problem);
      }
    }
    for (const { node } of listNodes(statement, 'FuncCall')) {
      if (NODE_FUNCTIONS.test(functionName(node)))
        problems.add(`${functionName(node)} means something on one node only`);
    }
  }
  return [...problems].sort();
}

/** One query of a statement, without those in it. */
interface QueryLevel {
  readonly kind: string;
  readonly node: SqlNode;
  /** The names of the statement's own results. */
  readonly names: ReadonlySet<string>;
}

/** The queries that a union and its like combine; a query without them is its own. */
function listArms(query: SqlNode): SqlNode[] {
  const arms = [childNode(query, 'larg'), childNode(query, 'rarg')].filter((arm) => arm !== null);
  return arms.length === 0 ? [query] : arms.flatMap(listArms);
}

/** Every relation is restricted to an account, by a parameter or by a relation that is; a locked one by a parameter. */
function checkAccounts({ kind, node, names }: QueryLevel): string[] {
  const found = listRelations(kind, node).filter(
    ({ name }) => !names.has(name) && !WHOLE_RELATIONS.has(name) && !name.startsWith('pg_'),
  );
  if (kind === 'InsertStmt') return checkInsertedAccount(node, names);
  const equalities = listEqualities(node);
  const isLocking = childNodes(node, 'lockingClause').length > 0;
  return found.flatMap(({ name, alias }) => {
    const partners = equalities
      .filter(
        ({ qualifier, column }) =>
          column === 'account_id' && (qualifier === alias || (qualifier === '' && found.length === 1)),
      )
      .map(({ partner }) => partner);
    const isLiteral = partners.includes('parameter');
    if (isLocking && !isLiteral) return [`locks ${name} without a literal account`];
    if (kind !== 'SelectStmt' && !isLiteral && partners.length === 0) return [`changes ${name} without an account`];
    return partners.length > 0 ? [] : [`reads ${name} without an account`];
  });
}

function checkInsertedAccount(node: SqlNode, names: ReadonlySet<string>): string[] {
  const name = relationName(childNode(node, 'relation') ?? {});
  if (names.has(name) || WHOLE_RELATIONS.has(name)) return [];
  const place = childNodes(node, 'cols').findIndex(
    (each) => textOf(childNode(each, 'ResTarget') ?? {}, 'name') === 'account_id',
  );
  if (place === -1) return [`inserts into ${name} without an account`];
  const select = childNode(childNode(node, 'selectStmt') ?? {}, 'SelectStmt') ?? {};
  const tuples = childNodes(select, 'valuesLists').map((list) => childNodes(childNode(list, 'List') ?? {}, 'items'));
  const targets = childNodes(select, 'targetList').map(
    (each) => childNode(childNode(each, 'ResTarget') ?? {}, 'val') ?? {},
  );
  const values = (tuples.length > 0 ? tuples : [targets]).map((tuple) => tuple[place] ?? {});
  const isKnown = values.every((value) => isParameter(value) || columnOf(value)?.column === 'account_id');
  return isKnown ? [] : [`inserts into ${name} with a computed account`];
}

function checkChange(node: SqlNode, { volatility }: FunctionCatalogue): string[] {
  const problems: string[] = [];
  for (const each of childNodes(node, 'returningList').concat(
    childNodes(childNode(node, 'returningClause') ?? {}, 'exprs'),
  )) {
    const value = childNode(childNode(each, 'ResTarget') ?? {}, 'val') ?? {};
    if (columnOf(value) === null) problems.push('returns something else than columns');
  }
  const own = withoutQueries(node);
  for (const { node: call, path } of listNodes(own, 'FuncCall')) {
    const name = functionName(call);
    const kind = volatility.get(`${name}/${childNodes(call, 'args').length}`) ?? 'i';
    if (kind === 'v') problems.push(`calls volatile ${name}() in a change`);
    if (kind === 's' && path.some((each) => CONDITIONAL.includes(each)))
      problems.push(`calls stable ${name}() in a condition of a change`);
    if (kind === 's' && listNodes(call, 'ColumnRef').length > 0)
      problems.push(`calls stable ${name}() over a column in a change`);
  }
  for (const { path } of listNodes(own, 'SQLValueFunction')) {
    if (path.some((each) => CONDITIONAL.includes(each))) problems.push('reads the time in a condition of a change');
  }
  for (const { node: expression } of listNodes(own, 'A_Expr')) {
    if (isZonedShift(expression)) problems.push('adds an interval to a moment of a column');
  }
  return problems;
}

/** `column + interval`, whose result depends on the zone of the session if the column is a moment. */
function isZonedShift(expression: SqlNode): boolean {
  const operator = operatorName(expression);
  if (operator !== '+' && operator !== '-') return false;
  const sides = [childNode(expression, 'lexpr'), childNode(expression, 'rexpr')].filter((side) => side !== null);
  const hasInterval = sides.some((side) =>
    listNodes(side, 'TypeCast').some(({ node }) => typeName(node) === 'interval'),
  );
  const hasMoment = sides.some((side) => {
    const call = childNode(side, 'FuncCall');
    const isLocal = call !== null && functionName(call) === 'timezone';
    return !isLocal && listNodes(side, 'ColumnRef').length > 0;
  });
  return hasInterval && hasMoment;
}

interface Equality {
  readonly qualifier: string;
  readonly column: string;
  readonly partner: 'parameter' | 'column';
}

/** The equalities that hold for every row of the level: those of its `where` and its joins, joined by `and`. */
function listEqualities(node: SqlNode): Equality[] {
  const joins = listNodes(withoutQueries(node), 'JoinExpr').map(({ node: join }) => join);
  const conditions = [childNode(node, 'whereClause'), ...joins.map((join) => childNode(join, 'quals'))];
  return [
    ...joins.flatMap(listSharedColumns),
    ...conditions.flatMap((condition) => listConjuncts(condition ?? {})).flatMap(toEqualities),
  ];
}

/** The equalities of `using (account_id)`. */
function listSharedColumns(join: SqlNode): Equality[] {
  const columns = childNodes(join, 'usingClause').map((each) => textOf(childNode(each, 'String') ?? {}, 'sval'));
  if (!columns.includes('account_id')) return [];
  return listRelations('SelectStmt', { fromClause: [childNode(join, 'rarg') ?? {}] }).map(({ alias }) => ({
    qualifier: alias,
    column: 'account_id',
    partner: 'column' as const,
  }));
}

function toEqualities(condition: SqlNode): Equality[] {
  const expression = childNode(condition, 'A_Expr');
  if (expression === null || textOf(expression, 'kind') !== 'AEXPR_OP' || operatorName(expression) !== '=') return [];
  const [left, right] = [childNode(expression, 'lexpr') ?? {}, childNode(expression, 'rexpr') ?? {}];
  return [toEquality(left, right), toEquality(right, left)].filter((equality) => equality !== null);
}

function toEquality(side: SqlNode, other: SqlNode): Equality | null {
  const column = columnOf(side);
  if (column === null) return null;
  if (isParameter(other)) return { ...column, partner: 'parameter' };
  return columnOf(other)?.column === 'account_id' ? { ...column, partner: 'column' } : null;
}

function operatorName(expression: SqlNode): string {
  return childNodes(expression, 'name')
    .map((each) => textOf(childNode(each, 'String') ?? {}, 'sval'))
    .join('');
}

function listConjuncts(condition: SqlNode): SqlNode[] {
  const both = childNode(condition, 'BoolExpr');
  if (both === null || textOf(both, 'boolop') !== 'AND_EXPR') return [condition];
  return childNodes(both, 'args').flatMap(listConjuncts);
}

/** The relations that a level reads or changes itself, with the names under which it does. */
function listRelations(kind: string, node: SqlNode): { readonly name: string; readonly alias: string }[] {
  const own = kind === 'SelectStmt' ? [] : [childNode(node, 'relation') ?? {}];
  const sources = [...childNodes(node, 'fromClause'), ...childNodes(node, 'usingClause')].map(withoutQueries);
  const read = sources.flatMap((source) => listNodes(source, 'RangeVar').map(({ node: each }) => each));
  return [...own, ...read].map((each) => {
    const name = relationName(each);
    return { name, alias: textOf(childNode(each, 'alias') ?? {}, 'aliasname') || textOf(each, 'relname') };
  });
}

/** The node without the queries inside it: each of them is checked separately. */
function withoutQueries(node: SqlNode): SqlNode {
  const entries = Object.entries(node).map(([name, value]) => [name, abbreviate(value)]);
  return Object.fromEntries(entries) as SqlNode;
}

function abbreviate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(abbreviate);
  if (!isNode(value)) return value;
  return QUERIES.some((kind) => kind in value) ? {} : withoutQueries(value);
}

interface FoundNode {
  readonly node: SqlNode;
  /** The kinds and members above it, from the top. */
  readonly path: readonly string[];
}

/** Every node of a kind below this one. */
function listNodes(top: SqlNode, kind: string): FoundNode[] {
  const found: FoundNode[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, path);
    if (!isNode(value)) return;
    for (const [member, child] of Object.entries(value)) {
      if (member === kind && isNode(child)) found.push({ node: child, path });
      visit(child, [...path, member]);
    }
  };
  visit(top, []);
  return found;
}

function relationName(relation: SqlNode): string {
  const schema = textOf(relation, 'schemaname');
  return `${schema === '' ? '' : `${schema}.`}${textOf(relation, 'relname')}`;
}

function functionName(call: SqlNode): string {
  return textOf(childNode(childNodes(call, 'funcname').at(-1) ?? {}, 'String') ?? {}, 'sval');
}

function typeName(cast: SqlNode): string {
  const names = childNodes(childNode(cast, 'typeName') ?? {}, 'names');
  return textOf(childNode(names.at(-1) ?? {}, 'String') ?? {}, 'sval');
}

function isParameter(value: SqlNode): boolean {
  const cast = childNode(value, 'TypeCast');
  return cast === null ? childNode(value, 'ParamRef') !== null : isParameter(childNode(cast, 'arg') ?? {});
}

function columnOf(value: SqlNode): { readonly qualifier: string; readonly column: string } | null {
  const column = childNode(value, 'ColumnRef');
  if (column === null) return null;
  const parts = childNodes(column, 'fields').map((each) => textOf(childNode(each, 'String') ?? {}, 'sval'));
  return { qualifier: parts.length > 1 ? (parts.at(-2) ?? '') : '', column: parts.at(-1) ?? '' };
}
