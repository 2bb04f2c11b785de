import { expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from '@typescript/typescript6';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

jest.setTimeout(4 * 60_000);

const TABLE = 'packages/core/src/cards/schemes.ts';
const CARD_FIELDS = 'apps/card-vault/src/frame/page/schemes.ts';
const MARKS = 'apps/card-vault/src/frame/page/scheme-marks.ts';

const JCB = `  JCB: {
    name: 'JCB',
    transactionType: 'Jcb',
    tablesName: 'CARD_SCHEME_UNKNOWN',
    machineName: 'SCHEME_UNSPECIFIED',
    prefix: /^35(2[89]|[3-8])/,
    lengthMin: 16,
    lengthsInTexts: [16],
    groups: FOURS,
    securityCodeLength: 3,
    chipApplicationId: 'A0000000651010',
    isAcceptedByDefault: false,
  },
} as const satisfies`;

/** Of the styles that pages import. */
const DECLARATIONS = 'apps/portal/src/web/css-modules.d.ts';
/** The next program reuses what it has parsed. */
let last: ts.Program | undefined;

/** The files that know card schemes, tests included. */
const USERS = readTree(REPOSITORY)
  .filter(({ file, text }) => /^(packages|apps)\/.*\.tsx?$/.test(file) && /SCHEME|CardScheme|SchemeName/.test(text))
  .map(({ file }) => file)
  .filter((file) => !/\/(gen|testing)\/|^packages\/(sdk|grpc-contracts)\//.test(file));

const withRow = { [TABLE]: read(TABLE).replace('} as const satisfies', JCB) };
/** As `pnpm golden` rewrites it. */
const generated = { [CARD_FIELDS]: read(CARD_FIELDS).replace("| 'AMEX'", "| 'AMEX' | 'JCB'") };
const withMark = { [MARKS]: read(MARKS).replace('  AMEX: [CARD', "  JCB: [CARD('#0b4ea2')],\n  AMEX: [CARD") };

test('a new card scheme is a row of one table, and its sign in the card fields', () => {
  expect(USERS.length).toBeGreaterThan(15);
  expect(listTypeErrors({})).toEqual([]);
  expect(listTypeErrors({ ...withRow, ...generated })).toEqual([MARKS]);
  expect(listTypeErrors({ ...withRow, ...generated, ...withMark })).toEqual([]);
});

function read(file: string): string {
  return readFileSync(path.join(REPOSITORY, file), 'utf8');
}

/** The files with errors, when these files have other texts. The other packages are those that were built. */
function listTypeErrors(texts: Readonly<Record<string, string>>): string[] {
  const base = ts.readConfigFile(path.join(REPOSITORY, 'tsconfig.base.json'), (file) => readFileSync(file, 'utf8'));
  const { compilerOptions } = base.config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...compilerOptions,
      ...{ rootDir: '.', noEmit: true, incremental: false, jsx: 'react-jsx', lib: ['es2023', 'dom', 'dom.iterable'] },
      paths: Object.fromEntries(
        ['core', 'rest-contracts'].map((name) => [
          `@pos/${name}/*`,
          [path.join(REPOSITORY, `packages/${name}/src/*/index.ts`)],
        ]),
      ),
    },
    REPOSITORY,
  );
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => texts[path.relative(REPOSITORY, file)] ?? readFile(file);
  const roots = [...USERS, DECLARATIONS].map((file) => path.join(REPOSITORY, file));
  last = ts.createProgram(roots, options, host, last);
  const program = last;
  return USERS.filter((file) => {
    const source = program.getSourceFile(path.join(REPOSITORY, file));
    if (source === undefined) throw new Error(`${file} is no part of the program`);
    return program.getSemanticDiagnostics(source).length > 0;
  });
}
