import path from 'node:path';
import ts from '@typescript/typescript6';
import { parseSource, PUBLIC_MODULE, type SourceFile } from './source-tree.js';

interface Module {
  readonly file: string;
  /** Name to the line of its declaration; types that the file itself uses are left out. */
  readonly exports: ReadonlyMap<string, number>;
  /** Specifier and imported name; `*` for all of a module. */
  readonly imports: readonly { readonly from: string; readonly name: string }[];
}

/**
 * Exports with users that this does not see: partners import the contracts, node and jest load a default, and the modules
 * of a variant import its replacements (docs/decisions/0118).
 */
const FOR_OTHERS = [
  /\.js$/,
  /^packages\/grpc-contracts\//,
  /^packages\/sdk\/src\/(node|browser|payment-flow|payment-component)\.ts$/,
  /\/jest-(setup|teardown)\.ts$/,
  /\/src\/testing\/collecting\//,
  /\.test\.tsx?$/,
];

/** Sources that only tests load. A name that they alone import belongs into the test support of its package. */
const FOR_TESTS = /\.test\.tsx?$|\/testing\/|^packages\/(verification|dev-database)\//;
/** Public modules for tests: of folders of test support, and of packages that are nothing else. */
const PUBLIC_FOR_TESTS = /\/testing\/|^packages\/(verification|dev-database)\//;

/**
 * Exports that no other file of the workspace imports, as `file:line name`; a test does not count as an importer of a
 * public module, except of one for tests. A type counts as used where its own file
 * names it in a signature: a caller gets it by inference. `packages` maps package names to their source folders.
 */
export function findUnusedExports(files: readonly SourceFile[], packages: ReadonlyMap<string, string>): string[] {
  const modules = files.filter(({ file }) => /\.(tsx?|js)$/.test(file)).map(readModule);
  const known = new Set(modules.map(({ file }) => file));
  const used = new Set<string>();
  for (const { file, imports } of modules) {
    for (const { from, name } of imports) {
      const target = resolve(from, file, { known, packages });
      if (FOR_TESTS.test(file) && PUBLIC_MODULE.test(target) && !PUBLIC_FOR_TESTS.test(target)) continue;
      used.add(`${target} ${name}`);
    }
  }
  return modules
    .filter(({ file }) => !FOR_OTHERS.some((pattern) => pattern.test(file)) && !used.has(`${file} *`))
    .flatMap(({ file, exports }) =>
      [...exports].filter(([name]) => !used.has(`${file} ${name}`)).map(([name, line]) => `${file}:${line} ${name}`),
    );
}

function resolve(
  specifier: string,
  importer: string,
  { known, packages }: { known: ReadonlySet<string>; packages: ReadonlyMap<string, string> },
): string {
  const [scope = '', name = '', ...rest] = specifier.split('/');
  const folder = packages.get(`${scope}/${name}`);
  const target =
    folder === undefined ? path.posix.join(path.posix.dirname(importer), specifier) : [folder, ...rest].join('/');
  const bare = target.replace(/\.js$/, '');
  const files = [`${bare}.ts`, `${bare}.tsx`, `${bare}.d.ts`, `${bare}/index.ts`];
  return files.find((file) => known.has(file)) ?? specifier;
}

function readModule(sourceFile: SourceFile): Module {
  const { file, text } = sourceFile;
  const source = parseSource(sourceFile);
  const exports = new Map<string, number>();
  const imports: { from: string; name: string }[] = [];
  const note = (name: string, node: ts.Node): void => {
    exports.set(name, source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) imports.push(...listImportedNames(statement));
    else if (ts.isExportDeclaration(statement)) imports.push(...listReexportedNames(statement, note));
    else if (isExported(statement)) for (const name of listDeclaredNames(statement, source)) note(name, statement);
  }
  imports.push(
    ...[...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => ({ from: match[1] ?? '', name: '*' })),
  );
  return { file, exports, imports };
}

function listImportedNames(statement: ts.ImportDeclaration): { from: string; name: string }[] {
  const from = getText(statement.moduleSpecifier);
  const bindings = statement.importClause?.namedBindings;
  const fallback = statement.importClause?.name === undefined ? [] : [{ from, name: 'default' }];
  if (bindings === undefined) return fallback;
  if (ts.isNamespaceImport(bindings)) return [...fallback, { from, name: '*' }];
  return [
    ...fallback,
    ...bindings.elements.map((element) => ({ from, name: (element.propertyName ?? element.name).text })),
  ];
}

/** `export { a } from './b.js'` uses a of b; `export { a }` only exports it. */
function listReexportedNames(
  statement: ts.ExportDeclaration,
  note: (name: string, node: ts.Node) => void,
): { from: string; name: string }[] {
  const clause = statement.exportClause;
  const elements = clause !== undefined && ts.isNamedExports(clause) ? clause.elements : [];
  for (const element of elements) note(element.name.text, element);
  if (statement.moduleSpecifier === undefined) return [];
  const from = getText(statement.moduleSpecifier);
  if (elements.length === 0) return [{ from, name: '*' }];
  return elements.map((element) => ({ from, name: (element.propertyName ?? element.name).text }));
}

function listDeclaredNames(statement: ts.Statement, source: ts.SourceFile): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    const name = statement.name.text;
    return getCount(name, source) > 1 ? [] : [name];
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

const identifierCounts = new WeakMap<ts.SourceFile, ReadonlyMap<string, number>>();

function getCount(name: string, source: ts.SourceFile): number {
  const counts = identifierCounts.get(source) ?? countIdentifiers(source);
  identifierCounts.set(source, counts);
  return counts.get(name) ?? 0;
}

function countIdentifiers(source: ts.SourceFile): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const countNode = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, countNode);
  };
  countNode(source);
  return counts;
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some((m) => m.kind === ts.SyntaxKind.ExportKeyword)
  );
}

function getText(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : '';
}
