// Who may import what, file by file. turbo.json says the same of whole packages; this sees inside them.
// Imports of @pos/* are followed to their sources (tools/src/boundaries.ts), so nothing has to be built first.

/** Tests, and what only tests import: folders named `testing`, and the packages that are about tests. */
const TESTS = '\\.test\\.tsx?$|/testing/|/testing[^/]*\\.ts$|^packages/(testing|verification)/';
const ORM = 'node_modules/(@types/pg|typeorm|pg)/|^(typeorm|pg)$';
const CRYPTO = '^(node:)?crypto$';
/** A file of the same package that is not there: the compiler says so better. */
const UNWRITTEN = '^\\.';
/** The two places of core that may hash; a browser cannot load them. */
const CORE_CRYPTO = '^packages/core/src/(ids/ids|webhook-signatures/webhook-signature)\\.ts$';
/** Where generated messages are turned into our own words, and where sockets are held. */
const EDGE =
  '(wire|controller|client|channel|driver|server)[^/]*\\.ts$|/main\\.ts$|^apps/pay-at-table-gateway/src/(epos-calls|epos-transports|epos-connections|epos-routing|epos-port|machines)/';
const EDGE_FREE =
  '^(packages/(grpc-contracts|service-kit|sandbox)|apps/(sandbox|acquirer-tester|reference-acquirer-adapter)|tools)/';

/**
 * What the payment page shares with the portal: colours, fonts, the names of card schemes, and how amounts are written and
 * read. Each is small. Amounts need one table of decimals everywhere: a browser's own differs from it by a factor of 100.
 */
const SHARED_WITH_CHECKOUT =
  '^packages/(core/src/(branding|money)/index\\.ts$|web-ui/src/(branding|format)/index\\.ts$)';

/** What the sources of a package may import of ours; its tests may also use the sandbox and the store. */
const LAYERS = {
  core: [],
  'grpc-contracts': [],
  'rest-contracts': ['core'],
  sdk: [],
  'command-line': [],
  postgres: ['core'],
  store: ['core', 'postgres'],
  payments: ['core', 'postgres', 'store', 'grpc-contracts'],
  administration: ['core', 'postgres', 'store', 'payments'],
  'service-kit': ['core', 'rest-contracts', 'grpc-contracts'],
  'nest-modules': ['core', 'postgres', 'store', 'payments', 'service-kit', 'rest-contracts', 'grpc-contracts'],
  sandbox: ['core', 'rest-contracts', 'grpc-contracts'],
  conformance: ['core', 'service-kit'],
  verification: ['core'],
  'dev-database': ['core', 'verification'],
  testing: ['core', 'rest-contracts'],
  'web-ui': ['core'],
};

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea, or one of them holds a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-imports-nothing',
      comment: 'Core is decisions: no package, no file system, no socket.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: TESTS },
      to: { pathNot: `^packages/core/src/|${CRYPTO}|${UNWRITTEN}` },
    },
    {
      name: 'core-hashes-in-two-places',
      comment: 'node:crypto only in the ids and signature files, so that all else runs in a browser.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: `${CORE_CRYPTO}|${TESTS}` },
      to: { path: CRYPTO },
    },
    {
      name: 'browsers-hash-nothing',
      comment:
        'Pages and their contracts use no module of core that needs node:crypto. A build of pages ends where its scripts contain it.',
      severity: 'error',
      from: {
        path: '^packages/rest-contracts/src/|^apps/[^/]+/src/web/|^apps/checkout/src/page/',
        pathNot: `${TESTS}|^apps/portal/src/web/reference-build/`,
      },
      to: { path: `^packages/core/src/(ids|webhook-signatures)/|${CRYPTO}` },
    },
    {
      name: 'rest-contracts-need-zod-only',
      severity: 'error',
      from: { path: '^packages/rest-contracts/src/', pathNot: TESTS },
      to: { pathNot: `^packages/(rest-contracts|core)/|node_modules/zod/|^zod$|${UNWRITTEN}` },
    },
    ...Object.entries(LAYERS).map(([name, allowed]) => ({
      name: `${name}-keeps-its-layer`,
      comment: `${name} imports of ours: ${allowed.join(', ') || 'nothing'}.`,
      severity: 'error',
      from: { path: `^packages/${name}/src/`, pathNot: TESTS },
      to: { path: '^(packages|apps|tools)/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: 'postgres-knows-no-payment',
      comment:
        'A PostgreSQL engineer reads it without knowing payments: of core it uses refusals only (docs/decisions/0148).',
      severity: 'error',
      from: { path: '^packages/postgres/src/' },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/refusals/' },
    },
    {
      name: 'public-modules-only',
      comment: 'The index.ts of a folder names what other packages may import of it (docs/decisions/0146).',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/|^tools/' },
      to: {
        path: '^packages/([^/]+)/src/',
        pathNot: '^packages/$2/src/|/index\\.ts$|^packages/(grpc-contracts|sdk)/|/jest-setup\\.ts$|/parent-exit\\.ts$',
      },
    },
    {
      name: 'no-index-from-inside',
      comment: 'Files of a package import each other directly, so that public modules make no circles.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/' },
      to: { path: ['^packages/$1/src/index\\.ts$', '^packages/$1/src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'packages-know-no-app',
      comment: 'Also not in their tests.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|tools)/' },
    },
    {
      name: 'only-store-and-postgres-know-the-driver',
      comment:
        'typeorm and pg stay behind @pos/postgres and @pos/store, in tests and tools too; the server of tests is started by pg alone. The reference adapter shows partners an adapter with a database of its own.',
      severity: 'error',
      from: {
        pathNot:
          '^packages/(postgres|store|dev-database)/|^apps/reference-acquirer-adapter/src/calls/|^tools/src/bench/load/plain-pool',
      },
      to: { path: ORM },
    },
    {
      name: 'domain-knows-no-framework',
      comment: 'Nest provides the classes of the domain (packages/nest-modules); they run and are tested without it.',
      severity: 'error',
      from: { path: '^packages/(core|postgres|store|payments|administration|sandbox)/' },
      to: { path: 'node_modules/@nestjs/|^@nestjs/' },
    },
    {
      name: 'commands-are-loaded-when-they-are-named',
      comment: 'ADR 0106: help starts in a tenth of a second, because it loads no command.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/(main|command/application|commands/all-commands)\\.ts$' },
      to: {
        path: '^apps/[^/]+/src/(commands/(?!all-commands)|command/command-execution|connection/)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'apps-know-no-app',
      comment: 'An app is started, scaled and deployed alone.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^(apps|tools)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'web-pages-import-rest-contracts-only',
      comment: 'Their servers, which need the service kit, too; what runs in browsers is in src/page.',
      severity: 'error',
      from: { path: '^apps/checkout/', pathNot: TESTS },
      to: {
        path: '^packages/',
        pathNot: `^packages/(rest-contracts|service-kit)/|${SHARED_WITH_CHECKOUT}`,
      },
    },
    {
      name: 'browsers-load-pages-only',
      comment:
        'The bundle stays small: of others it takes types, which leave no import, the contracts, of which its build keeps methods and paths (docs/decisions/0149), and what SHARED_WITH_CHECKOUT names.',
      severity: 'error',
      from: { path: '^apps/checkout/src/page/', pathNot: TESTS },
      to: {
        pathNot: `^apps/checkout/src/page/|^packages/rest-contracts/|${SHARED_WITH_CHECKOUT}|${UNWRITTEN}`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'card-fields-import-nothing',
      comment: 'The script of the card fields sees whole card numbers: it has no line that is not its own.',
      severity: 'error',
      from: { path: '^apps/card-vault/src/frame/page/', pathNot: TESTS },
      to: { pathNot: `^apps/card-vault/src/frame/page/|${UNWRITTEN}` },
    },
    {
      name: 'web-pages-import-contracts-and-components',
      comment: 'What a bundler puts into a page is in src/web of its app; it is no part of the server.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/web/', pathNot: TESTS },
      to: { path: '^(packages|apps|tools)/', pathNot: '^(packages/(core|rest-contracts|web-ui)/|apps/[^/]+/src/web/)' },
    },
    {
      name: 'servers-import-no-web-page',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/', pathNot: `^apps/[^/]+/src/web/|^apps/checkout/src/page/|${TESTS}` },
      to: { path: '^apps/[^/]+/src/web/|^packages/web-ui/' },
    },
    {
      name: 'generated-types-stop-at-the-edge',
      comment: 'Only wire, controller, client, driver, server and transport files see messages as they travel.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${EDGE_FREE}|${EDGE}|${TESTS}` },
      to: { path: '^packages/grpc-contracts/' },
    },
    {
      name: 'tests-stay-outside',
      comment: 'What runs for customers does not import what was written for tests.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${TESTS}|^packages/dev-database/` },
      to: { path: `${TESTS}|node_modules/(@jest|jest|fast-check)/` },
    },
    {
      name: 'the-database-of-developers-stays-outside',
      comment: 'Production has a server. Only development and tests start one.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: `${TESTS}|^packages/dev-database/` },
      to: { path: '^packages/dev-database/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/', '/src/gen/'] },
    exclude: { path: ['/dist/', '^apps/[^/]+/bundle/', '^(apps|packages)/[^/]+/[^/]+\\.js$'] },
    // An import of a type is an arrow, too.
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    moduleSystems: ['es6', 'cjs'],
  },
};
