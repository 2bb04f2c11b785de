import ts from '@typescript/typescript6';
import { parseSource, type SourceFile } from './source-tree.js';

/** Modules that replace others in the tests of a variant, under the same names (docs/decisions/0118). */
const REPLACEMENTS = /\/src\/testing\/collecting\//;

/** Names that two modules of one package declare and export, as `package name: files`. */
export function findDuplicateExports(files: readonly SourceFile[]): string[] {
  const filesByName = new Map<string, Set<string>>();
  for (const source of files) {
    const { file } = source;
    const folder = /^((?:packages|apps)\/[^/]+|tools)\//.exec(file)?.[1];
    if (folder === undefined || !/\.tsx?$/.test(file) || REPLACEMENTS.test(file)) continue;
    for (const name of listDeclaredExports(parseSource(source))) {
      const key = `${folder} ${name}`;
      filesByName.set(key, (filesByName.get(key) ?? new Set()).add(file));
    }
  }
  return [...filesByName]
    .filter(([, named]) => named.size > 1)
    .map(([key, named]) => `${key}: ${[...named].join(' ')}`);
}

function listDeclaredExports(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    return isNamed && statement.name !== undefined ? [statement.name.text] : [];
  });
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}
