// Typed lint, type errors included: one run knows the types of every file (ADR 0046). What a folder may not do is in
// its override; a rule that only annoys is off, with its reason.
const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/testing*.ts', '**/testing/**/*.ts'];

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
  'MemberExpression[object.name="process"]:matches([property.name="env"], [property.value="env"])',
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

// Each is an error in every folder. With their settings, below, they are the whole of what is asked of a line.
const TYPED = [
  'await-thenable',
  'ban-ts-comment',
  'no-array-delete',
  'no-base-to-string',
  'no-deprecated',
  'no-duplicate-enum-values',
  'no-duplicate-type-constituents',
  'no-dynamic-delete',
  'no-empty-object-type',
  'no-explicit-any',
  'no-extra-non-null-assertion',
  'no-floating-promises',
  'no-for-in-array',
  'no-implied-eval',
  'no-invalid-void-type',
  'no-meaningless-void-operator',
  'no-misused-new',
  'no-misused-promises',
  'no-misused-spread',
  'no-mixed-enums',
  'no-namespace',
  'no-non-null-asserted-nullish-coalescing',
  'no-non-null-asserted-optional-chain',
  'no-non-null-assertion',
  'no-redundant-type-constituents',
  'no-require-imports',
  'no-this-alias',
  'no-unnecessary-boolean-literal-compare',
  'no-unnecessary-template-expression',
  'no-unnecessary-type-arguments',
  'no-unnecessary-type-assertion',
  'no-unnecessary-type-constraint',
  'no-unnecessary-type-conversion',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-declaration-merging',
  'no-unsafe-enum-comparison',
  'no-unsafe-function-type',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'no-unsafe-unary-minus',
  'no-useless-default-assignment',
  'no-wrapper-object-types',
  'only-throw-error',
  'prefer-as-const',
  'prefer-literal-enum-member',
  'prefer-namespace-keyword',
  'prefer-promise-reject-errors',
  'prefer-reduce-type-parameter',
  'prefer-return-this-type',
  'related-getter-setter-pairs',
  'triple-slash-reference',
  'unbound-method',
  'unified-signatures',
  'use-unknown-in-catch-callback-variable',
];
const UNTYPED = [
  'eqeqeq',
  'no-array-constructor',
  'no-console',
  'no-unused-expressions',
  'no-useless-constructor',
  'no-var',
  'object-shorthand',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
];

export default {
  plugins: ['typescript'],
  jsPlugins: [{ name: 'pos', specifier: './tools/lint-bans.js' }],
  // Every rule is named here: a release of the linter changes no answer.
  categories: { correctness: 'off' },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    '**/dist/**',
    '**/bundle/**',
    '**/src/gen/**',
    '**/node_modules/**',
    '**/*.js',
    '**/*.cjs',
    '**/*.mjs',
  ],
  rules: {
    ...Object.fromEntries(UNTYPED.map((name) => [name, 'error'])),
    ...Object.fromEntries(TYPED.map((name) => [`typescript/${name}`, 'error'])),
    'pos/banned-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE, NO_ENV],
    'no-restricted-imports': ['error', { paths: [{ name: 'node:process', importNames: ['env'] }, 'process'] }],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    // A default would swallow the state that is added next year.
    'typescript/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    // A rest-sibling is how a member is left out of a copy; an underscore says that a parameter is there for its place.
    'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
  },
  overrides: [
    {
      files: ['packages/{core,postgres,store,payments,verification}/src/**/*.ts'],
      rules: { 'pos/banned-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE, NO_ENV, ...NO_CLOCK] },
    },
    {
      files: ['packages/{core,payments,verification}/src/**/*.ts'],
      rules: { 'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }] },
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
          {
            paths: [{ name: 'node:crypto', importNames: ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync'] }],
          },
        ],
      },
    },
    {
      files: [
        'apps/*/src/main.ts',
        'apps/{acquirer,epos}-tester/src/command/main.ts',
        'packages/service-kit/src/config/*.ts',
        'tools/src/**/*.ts',
      ],
      rules: { 'pos/banned-syntax': ['error', ...EVERYWHERE, NAMED_EXPORTS, NO_SAVE] },
    },
    { files: ['tools/src/**/*.ts'], rules: { 'no-console': 'off' } },
    // What a decorated constructor or method names as a type is there at run time, too: Nest injects by it.
    {
      files: [
        '**/*-controller.ts',
        '**/*-module.ts',
        'packages/nest-modules/src/*.test.ts',
        '**/*-request-checks.ts',
        'apps/api/src/database/api-database.ts',
        'apps/card-vault/src/frame/embedded-frames.ts',
        'apps/card-vault/src/frame/embedding-origins.ts',
        'apps/card-vault/src/setups/vault-database.ts',
        '**/*-worker.ts',
        '**/*-ports.ts',
        '**/*-lifecycle.ts',
        'apps/*/src/request-checks.ts',
        'apps/api/src/request-checks/portal-authenticator.ts',
        'apps/portal/src/deliveries/delivery-page-route.ts',
        'apps/portal/src/events/event-stream.ts',
        'apps/portal/src/forwarding/api-forwarder.ts',
        'apps/portal/src/sessions/oidc-{callback,start}.ts',
        'apps/portal/src/sessions/portal-sessions.ts',
        '**/*-service.ts',
      ],
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    {
      // A test may read the clock, the environment and a loose shape; its promises are watched like all others.
      files: TESTS,
      rules: {
        'pos/banned-syntax': ['error', ...TESTS_TOO],
        'no-restricted-globals': 'off',
        'no-restricted-imports': 'off',
        'typescript/consistent-type-assertions': 'off',
        'typescript/no-non-null-assertion': 'off',
      },
    },
  ],
};

function ban(selector, message) {
  return { selector, message };
}
