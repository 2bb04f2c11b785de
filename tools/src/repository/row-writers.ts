import ts from '@typescript/typescript6';
import type { SourceFile } from './source-tree.js';

/** A function of the store that writes a row and nothing that belongs to it, and the file that may import it (ADR 0145). */
export interface RowWriter {
  readonly name: string;
  readonly onlyIn: string;
}

const STORE = /^packages\/store\//;
const CODE = /\.tsx?$/;

/** Every other file outside the store that imports a row writer, as `file: name`. Tests are files like others. */
export function findOtherImporters(files: readonly SourceFile[], writers: readonly RowWriter[]): string[] {
  return files.flatMap(({ file, text }) => {
    const named = writers.filter(({ name, onlyIn }) => onlyIn !== file && text.includes(name));
    if (named.length === 0 || !CODE.test(file) || STORE.test(file)) return [];
    const imported = listImportedNames(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
    return named.filter(({ name }) => imported.has(name)).map(({ name }) => `${file}: ${name}`);
  });
}

/** The names under which other modules export what a file imports or exports again. */
function listImportedNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined
        ? statement.exportClause
        : undefined;
    if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) continue;
    for (const { name, propertyName } of bindings.elements) names.add((propertyName ?? name).text);
  }
  return names;
}

/** The files of the store that write rows of payment intents, by SQL, by parts of SQL or by the verbs for rows. */
export function listIntentRowWriters(files: readonly SourceFile[]): string[] {
  const writes =
    /\b(insert into|update|delete from)\s+payment_intents\b|\bsql\.\w+\(\s*'payment_intents'|\b(insert|update|delete)\w*\(\s*tx,\s*paymentIntents\b/;
  return files
    .filter(({ file, text }) => STORE.test(file) && CODE.test(file) && writes.test(text))
    .map(({ file }) => file);
}
