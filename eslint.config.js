// Typed lint. What a folder may not do stands in its block; a rule that only annoys is off, with its reason.
import tseslint from 'typescript-eslint';
import { typeErrors } from './tools/type-errors.js';

const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/testing*.ts', '**/jest-setup*.ts'];

const TOO_MANY = 'More than three parameters: pass one object and name its members.';
const TESTS_TOO = [
  ban('ExportAllDeclaration', 'A barrel hides where a name comes from; export names where they are made.'),
  ban(':matches(FunctionDeclaration, TSDeclareFunction)[params.length>3]', TOO_MANY),
  // A constructor that is injected takes what it needs, one by one.
  ban(':not(MethodDefinition[kind="constructor"]) > FunctionExpression[params.length>3]', TOO_MANY),
];
// In a test the parameters of an arrow function are the columns of a table.
const EVERYWHERE = [...TESTS_TOO, ban('ArrowFunctionExpression[params.length>3]', TOO_MANY)];
const NAMED_EXPORTS = ban('ExportDefaultDeclaration', 'Named exports only: one name for a thing, everywhere.');
const NO_SAVE = ban(
  'CallExpression[callee.property.name="save"]',
  'save() selects first and opens a transaction of its own; use insert, update or SQL.',
);
const NO_ENV = ban(
  'MemberExpression[object.name="process"][property.name="env"], MemberExpression[object.name="process"][property.value="env"]',
  'Settings are read once, in main.ts, through a schema.',
);
const NO_CLOCK = [
  ban(
    'NewExpression[callee.name="Date"][arguments.length=0]',
    'Time is an argument: the transaction says what time it is.',
  ),
  ban('CallExpression[callee.name="Date"]', 'Time is an argument: the transaction says what time it is.'),
  ban(
    'MemberExpression[object.name="Date"][property.name="now"]',
    'Time is an argument; a stretch of time is measured with performance.now().',
  ),
  ban(
    'MemberExpression[object.name="Math"][property.name="random"]',
    'Chance is an argument, so that a run can be repeated.',
  ),
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/src/gen/**', '**/node_modules/**', '**/*.js', '**/*.cjs', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { compiler: { rules: { 'type-errors': typeErrors } } },
    // A program for the run: the service that editors are made for takes an eighth longer.
    languageOptions: { parserOptions: { project: true } },
    rules: {
      'compiler/type-errors': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-restricted-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE, NO_ENV],
      'no-restricted-imports': ['error', { paths: [{ name: 'node:process', importNames: ['env'] }, 'process'] }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A default would swallow the state that is added next year.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // A rest-sibling is how a member is left out of a copy; an underscore says that a parameter is there for its place.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // An implementation of an asynchronous interface need not wait for anything.
      '@typescript-eslint/require-await': 'off',
      // `query<Row>()` names what SQL returns; there is nothing else to infer it from.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: ['packages/{core,store,payments}/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE, NO_ENV, ...NO_CLOCK] },
  },
  {
    files: ['packages/{core,payments}/src/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }] },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'performance',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'fetch',
        'process',
      ],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:crypto', importNames: ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync'] }] },
      ],
    },
  },
  {
    files: ['apps/*/src/main.ts', 'packages/service-kit/src/config*.ts', 'tools/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE] },
  },
  { files: ['tools/src/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    // A test may read the clock, the environment and a loose shape; its promises are watched like all others.
    files: TESTS,
    rules: {
      'no-restricted-syntax': ['error', ...TESTS_TOO],
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
);

function ban(selector, message) {
  return { selector, message };
}
