import { expect, test } from '@jest/globals';
import ts from '@typescript/typescript6';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

const tree = readTree(REPOSITORY);

interface Package {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Partners install these, and their exports are a contract with them. */
const FOR_PARTNERS = ['@pos/grpc-contracts', '@pos/sdk'];
/** What is loaded by its path, because it is no module of names: by Node, by jest, by a bundler of pages. */
const BY_PATH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@pos/store': { './testing/jest-setup': './dist/testing/jest-setup.js' },
  '@pos/service-kit': { './lifecycle/parent-exit': './dist/lifecycle/parent-exit.js' },
  '@pos/web-ui': { './styles/theme.css': './styles/theme.css' },
};
/** The package that is one public module and has test support beside it. */
const WITH_TESTING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@pos/command-line': { './testing': './dist/testing/index.js' },
};
/** The public module of test support also names what only tests use of other folders. */
const FOR_TESTS = /\/src\/testing\/index\.ts$/;

const packages = tree.flatMap(({ file, text }) => {
  const folder = /^(packages\/[a-z-]+)\/package\.json$/.exec(file)?.[1];
  return folder === undefined ? [] : [{ folder, ...(JSON.parse(text) as Package) }];
});
const own = packages.filter(({ name }) => !FOR_PARTNERS.includes(name));
const publicModules = tree.filter(
  ({ file }) => own.some(({ folder }) => file.startsWith(`${folder}/src/`)) && /\/index\.ts$/.test(file),
);

test.each(own)('$name exports the public modules of its folders', ({ name, folder, exports }) => {
  const isOneModule = publicModules.some(({ file }) => file === `${folder}/src/index.ts`);
  const wanted = isOneModule ? { '.': './dist/index.js' } : { './*': './dist/*/index.js' };
  expect(exports).toEqual({ ...wanted, ...WITH_TESTING[name], ...BY_PATH[name] });
});

test.each(publicModules)(
  '$file begins with a sentence, and then names what is public of the files beside it',
  ({ file, text }) => {
    expect(text).toMatch(/^\/\/ [A-Z].*\.\n/);
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const others = source.statements.filter(
      (statement) =>
        !ts.isExportDeclaration(statement) ||
        statement.moduleSpecifier === undefined ||
        !(FOR_TESTS.test(file) ? /^'\.\.?\// : /^'\.\//).test(statement.moduleSpecifier.getText()) ||
        statement.exportClause === undefined ||
        !ts.isNamedExports(statement.exportClause),
    );
    expect(others.map((statement) => statement.getText())).toEqual([]);
  },
);
