import { isOutsideTransaction } from '../migrations/migration-files.js';
import { parseSql, type SqlNode, childNode, childNodes, textOf } from './sql-tree.js';

/** A migration that is not released yet, and the relations that a released app uses meanwhile. */
export interface NewMigration {
  readonly file: string;
  readonly sql: string;
  readonly releasedRelations: ReadonlySet<string>;
}

/** What is known when a statement is checked. */
interface MigrationContext {
  readonly isReleased: (relation: string) => boolean;
  readonly isOutside: boolean;
  /** Indexes that an earlier statement of the file drops, so that a failed build can be repeated. */
  readonly dropped: ReadonlySet<string>;
  /** Constraints that an earlier statement of the file adds. */
  readonly added: ReadonlySet<string>;
}

type Rule = (statement: SqlNode, context: MigrationContext) => string | null;

/**
 * The reasons why a migration must not run beside processes of the last release: it would hold a lock as long as a
 * scan of a relation takes, or change what they use. Empty: it may. A kind of statement without a rule is refused.
 */
export async function findMigrationProblems(migration: NewMigration): Promise<string[]> {
  const problems: string[] = [];
  const isOutside = isOutsideTransaction(migration.sql);
  const created = new Set<string>();
  const dropped = new Set<string>();
  const added = new Set<string>();
  const isReleased = (relation: string): boolean => migration.releasedRelations.has(relation) && !created.has(relation);
  for (const statement of await parseSql(migration.sql)) {
    const [kind = '', node = {}] = Object.entries(statement)[0] ?? [];
    const context = { isReleased, isOutside, dropped, added };
    const rule = RULES[kind];
    const problem = rule === undefined ? `${kind}: no rule says whether it locks` : rule(node as SqlNode, context);
    const place =
      isOutside && problem === null && !REPEATABLE.has(kind)
        ? `${kind}: cannot be repeated, so it belongs in a transaction`
        : null;
    for (const each of [problem, place]) if (each !== null) problems.push(`${migration.file}: ${each}`);
    recordObject(kind, node as SqlNode, { created, dropped, added });
  }
  return problems;
}

/** Statements of a migration outside a transaction: each can be run again after a failure. */
const REPEATABLE = new Set(['IndexStmt', 'DropStmt', 'AlterTableStmt', 'CommentStmt']);

const ALLOWED: Rule = () => null;

const RULES: Readonly<Record<string, Rule>> = {
  CreateStmt: ALLOWED,
  CreateSchemaStmt: ALLOWED,
  CreateFunctionStmt: ALLOWED,
  CommentStmt: ALLOWED,
  GrantStmt: ALLOWED,
  InsertStmt: ALLOWED,
  IndexStmt: checkIndex,
  DropStmt: checkDrop,
  AlterTableStmt: (node, context) =>
    childNodes(node, 'cmds')
      .map((command) => checkAlteration(getRelationName(node), childNode(command, 'AlterTableCmd') ?? {}, context))
      .find((problem) => problem !== null) ?? null,
  RenameStmt: (node, { isReleased }) =>
    isReleased(getRelationName(node)) ? `rename in ${getRelationName(node)}: the last release uses the old name` : null,
  UpdateStmt: checkRowChange,
  DeleteStmt: checkRowChange,
  CreateTrigStmt: (node, { isReleased }) =>
    isReleased(getRelationName(node)) ? `trigger on ${getRelationName(node)}: it also runs for the last release` : null,
};

function checkRowChange(node: SqlNode, { isReleased }: MigrationContext): string | null {
  const relation = getRelationName(node);
  return isReleased(relation)
    ? `change of the rows of ${relation}: it locks them until the migration ends; fill them in steps, by the service`
    : null;
}

function checkIndex(node: SqlNode, { isReleased, isOutside, dropped }: MigrationContext): string | null {
  const relation = getRelationName(node);
  const name = textOf(node, 'idxname');
  const isConcurrent = node['concurrent'] === true;
  if (isConcurrent && !isOutside)
    return `index ${name}: is built concurrently, so the first line must end with "Outside a transaction."`;
  if (isConcurrent && !dropped.has(name))
    return `index ${name}: a failed build leaves it invalid; drop it before, concurrently, if it exists`;
  if (!isConcurrent && isReleased(relation))
    return `index ${name}: blocks all changes of ${relation} while it is built; build it concurrently`;
  return null;
}

function checkDrop(node: SqlNode, { isReleased, isOutside }: MigrationContext): string | null {
  const kind = textOf(node, 'removeType');
  const names = childNodes(node, 'objects').map(getObjectName);
  if (kind === 'OBJECT_INDEX') {
    if (node['concurrent'] !== true)
      return `drop of index ${names.join(', ')}: waits for every user of its relation; drop it concurrently`;
    if (!isOutside)
      return `drop of index ${names.join(', ')}: runs concurrently, so the first line must end with "Outside a transaction."`;
    return node['missing_ok'] === true
      ? null
      : `drop of index ${names.join(', ')}: cannot be repeated without "if exists"`;
  }
  if (kind === 'OBJECT_TABLE' && !names.some(isReleased)) return null;
  return `drop of ${names.join(', ')}: the last release uses it`;
}

/** Alterations of a released relation that change the catalogue only, and nothing that the last release relies on. */
const QUICK_ALTERATIONS = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
]);

const SLOW_ALTERATIONS: Readonly<Record<string, string>> = {
  AT_SetNotNull:
    'set not null scans the relation under a lock; add a check "not valid" and validate it in a later migration',
  AT_AlterColumnType:
    'a change of the type rewrites the relation under a lock, and the last release reads the old type; add a column',
  AT_DropColumn: 'the last release uses the column; drop it a release later',
};

function checkAlteration(relation: string, command: SqlNode, context: MigrationContext): string | null {
  if (!context.isReleased(relation)) return null;
  const kind = textOf(command, 'subtype');
  const refuse = (reason: string): string => `alteration of ${relation}: ${reason}`;
  const definition = childNode(command, 'def') ?? {};
  switch (kind) {
    case 'AT_AddColumn': {
      const reason = checkColumn(childNode(definition, 'ColumnDef') ?? {});
      return reason === null ? null : refuse(reason);
    }
    case 'AT_AddConstraint': {
      const reason = checkConstraint(childNode(definition, 'Constraint') ?? {});
      return reason === null ? null : refuse(reason);
    }
    case 'AT_ValidateConstraint':
      return context.added.has(textOf(command, 'name'))
        ? refuse('the constraint is validated under the lock of its addition; validate it in a later migration')
        : null;
    case 'AT_ColumnDefault':
      return Object.keys(definition).length === 0 ? refuse('the last release relies on the default') : null;
    default:
      if (QUICK_ALTERATIONS.has(kind)) return null;
      return refuse(SLOW_ALTERATIONS[kind] ?? `no rule says whether ${kind} locks`);
  }
}

function checkColumn(column: SqlNode): string | null {
  const name = textOf(column, 'colname');
  const constraints = childNodes(column, 'constraints').map((each) => childNode(each, 'Constraint') ?? {});
  const kinds = constraints.map((each) => textOf(each, 'contype'));
  const given = constraints.find((each) => textOf(each, 'contype') === 'CONSTR_DEFAULT');
  if (given !== undefined && !isConstant(childNode(given, 'raw_expr') ?? {}))
    return `the default of ${name} is computed for each row, which rewrites the relation under a lock; add the column without it`;
  if (kinds.includes('CONSTR_NOTNULL') && given === undefined)
    return `${name} is not null without a default, so the last release cannot insert rows`;
  const slow = kinds.find((kind) => !['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'].includes(kind));
  return slow === undefined ? null : `${name} comes with ${slow}, which scans or rewrites the relation under a lock`;
}

function checkConstraint(constraint: SqlNode): string | null {
  const name = textOf(constraint, 'conname');
  switch (textOf(constraint, 'contype')) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
      return constraint['skip_validation'] === true
        ? null
        : `constraint ${name} scans the relation under a lock; add it "not valid" and validate it in a later migration`;
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return textOf(constraint, 'indexname') === ''
        ? `constraint ${name} builds an index under a lock; build it concurrently first, and add the constraint "using index"`
        : null;
    default:
      return `constraint ${name}: no rule says whether it locks`;
  }
}

/** A literal, also with a type: the server stores it once, and rewrites nothing. */
function isConstant(expression: SqlNode): boolean {
  const cast = childNode(expression, 'TypeCast');
  if (cast !== null) return isConstant(childNode(cast, 'arg') ?? {});
  return childNode(expression, 'A_Const') !== null;
}

function getRelationName(node: SqlNode): string {
  const relation = childNode(node, 'relation') ?? {};
  const schema = textOf(relation, 'schemaname');
  return `${schema === '' ? '' : `${schema}.`}${textOf(relation, 'relname')}`;
}

/** The name of a dropped object, with its schema if it is given. */
function getObjectName(object: SqlNode): string {
  const list = childNode(object, 'List') ?? childNode(object, 'ObjectWithArgs') ?? {};
  const parts = [...childNodes(list, 'items'), ...childNodes(list, 'objname')];
  return parts.map((part) => textOf(childNode(part, 'String') ?? {}, 'sval')).join('.');
}

function recordObject(
  kind: string,
  node: SqlNode,
  { created, dropped, added }: Record<'created' | 'dropped' | 'added', Set<string>>,
): void {
  if (kind === 'CreateStmt') created.add(getRelationName(node));
  if (kind === 'DropStmt') for (const object of childNodes(node, 'objects')) dropped.add(getObjectName(object));
  if (kind !== 'AlterTableStmt') return;
  for (const each of childNodes(node, 'cmds')) {
    const constraint = childNode(childNode(childNode(each, 'AlterTableCmd') ?? {}, 'def') ?? {}, 'Constraint');
    if (constraint !== null) added.add(textOf(constraint, 'conname'));
  }
}
