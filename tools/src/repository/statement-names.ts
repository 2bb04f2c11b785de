import ts from '@typescript/typescript6';
import type { SourceFile } from './source-tree.js';

const DEFINITIONS = [
  'defineStatement',
  'defineChange',
  'defineSeparateChange',
  'defineSingleRowChange',
  'defineCombinableRead',
];

/** A statement under a constant: operators see its label as the name of a span. */
interface NamedStatement {
  readonly at: string;
  readonly constant: string;
  readonly label: string;
  /** The functions of its file that name the constant. */
  readonly senders: ReadonlySet<string>;
}

/** The statements of the sources whose label is a text of their definition. */
export function listStatements(files: readonly SourceFile[]): NamedStatement[] {
  return files.flatMap(({ file, text }) => {
    if (!DEFINITIONS.some((name) => text.includes(`${name}(`))) return [];
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const statements = new Map<string, NamedStatement & { readonly senders: Set<string> }>();
    const collect = (node: ts.Node): void => {
      const found = readDefinition(node);
      if (found !== null) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        statements.set(found.constant, { ...found, at: `${file}:${line}`, senders: new Set() });
      }
      ts.forEachChild(node, collect);
    };
    const attribute = (node: ts.Node): void => {
      const statement = ts.isIdentifier(node) ? statements.get(node.text) : undefined;
      const sender = statement === undefined ? null : findFunction(node);
      if (sender !== null) statement?.senders.add(sender);
      ts.forEachChild(node, attribute);
    };
    collect(source);
    attribute(source);
    return [...statements.values()];
  });
}

function readDefinition(node: ts.Node): { readonly constant: string; readonly label: string } | null {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return null;
  const call = node.initializer;
  if (call === undefined || !ts.isCallExpression(call) || !DEFINITIONS.includes(call.expression.getText())) return null;
  const [label] = call.arguments;
  return label !== undefined && ts.isStringLiteral(label) ? { constant: node.name.text, label: label.text } : null;
}

/** The name of the outermost function or method around a node. */
function findFunction(node: ts.Node): string | null {
  const around = ts.findAncestor(
    node,
    (each) => (ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each)) && each.name !== undefined,
  ) as ts.FunctionDeclaration | ts.MethodDeclaration | undefined;
  return around?.name?.getText() ?? null;
}

/**
 * Statements that are not named as what sends them, as `file:line label, not name`. The only statement of a function has
 * its name; that of a function of one word, such as `claim`, has a verb and an object. So has one that shares its function with
 * others, or that several functions send. No two statements have one label.
 */
export function findMisnamedStatements(files: readonly SourceFile[]): string[] {
  const statements = listStatements(files);
  const sentBy = (sender: string, file: string) =>
    statements.filter(({ at, senders }) => at.startsWith(`${file}:`) && senders.has(sender));
  return statements.flatMap(({ at, label, senders }) => {
    const [sender = '', ...others] = senders;
    const name = toSnakeCase(sender);
    const isAlone = others.length === 0 && sender !== '' && sentBy(sender, at.replace(/:\d+$/, '')).length === 1;
    const expected = !isAlone ? 'verb_object' : name.includes('_') ? name : `${name}_object`;
    const isNamed =
      isAlone && name.includes('_') ? label === name : /_/.test(label) && VERBS.has(label.split('_')[0] ?? '');
    const isUnique = statements.every((each) => each.at === at || each.label !== label);
    if (!isUnique) return [`${at} ${label}, which another statement has`];
    return isNamed ? [] : [`${at} ${label}, not ${expected}`];
  });
}

function toSnakeCase(name: string): string {
  return name
    .replace(/^#/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

/** What a statement does to its object. */
// oxfmt-ignore
const VERBS = new Set([
  'append', 'apply', 'begin', 'bind', 'claim', 'commit', 'complete', 'count', 'delete', 'end', 'find', 'insert', 'keep', 'leave',
  'list', 'lock', 'move', 'own', 'put', 'read', 'record', 'rehash', 'release', 'renew', 'requeue', 'reschedule', 'schedule',
  'send', 'set', 'take', 'update', 'write',
]);
