import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBoundaryViolations, type BoundaryViolation } from './boundaries.js';
import { REPOSITORY } from './repository.js';

jest.setTimeout(4 * 60_000);

const small = mkdtempSync(path.join(tmpdir(), 'boundaries-'));

afterAll(() => {
  rmSync(small, { recursive: true, force: true });
});

test('no import in the repository crosses a boundary', async () => {
  expect(await findBoundaryViolations(REPOSITORY, REPOSITORY)).toEqual([]);
});

test('no package depends on a layer above its own', () => {
  const turbo = spawnSync('turbo', ['boundaries', '--no-color'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(`${turbo.stdout}${turbo.stderr}`).toContain('no issues found');
});

/** A small repository in which every import is permitted. Each row below adds one that is not. */
const TIDY: Readonly<Record<string, string>> = {
  'packages/core/src/money/money.ts': 'export interface Money { value: number }',
  'packages/core/src/money/index.ts': "export type { Money } from './money.js';",
  'packages/core/src/ids/ids.ts': "import { createHash } from 'node:crypto'; export const hash = createHash;",
  'packages/core/src/ids/index.ts': "export { hash } from './ids.js';",
  'packages/core/src/webhook-signatures/index.ts': "export { sign } from './webhook-signature.js';",
  'packages/core/src/webhook-signatures/webhook-signature.ts':
    "import { createHmac } from 'node:crypto'; export const sign = createHmac;",
  'packages/core/src/money/money.test.ts':
    "import { readFileSync } from 'node:fs'; import './money.js'; readFileSync('');",
  'packages/grpc-contracts/src/gen/bill.ts': 'export interface BillMessage { id: string }',
  'packages/rest-contracts/src/bills/index.ts': "export { Bill } from './bills.js';",
  'packages/rest-contracts/src/bills/bills.ts':
    "import { z } from 'zod'; import type { Money } from '@pos/core/money'; export const Bill = z.any(); export type M = Money;",
  'packages/store/src/rows/index.ts': "export { x } from './rows.js';",
  'packages/store/src/rows/rows.ts':
    "import pg from 'pg'; import { hash } from '@pos/core/ids'; export const x = [pg, hash];",
  'packages/store/src/testing/index.ts': "export { freshDatabase } from './test-database.js';",
  'packages/store/src/testing/test-database.ts': 'export const freshDatabase = 1;',
  'packages/payments/src/captures/index.ts': "export { y } from './captures.js';",
  'packages/payments/src/captures/captures.ts': "import { x } from '@pos/store/rows'; export const y = x;",
  'packages/payments/src/captures/captures.test.ts':
    "import '@pos/sandbox/acquirer'; import '@pos/store/testing'; import './captures.js';",
  'packages/payments/src/acquirer-client.ts':
    "import type { BillMessage } from '@pos/grpc-contracts/gen/bill'; export type B = BillMessage;",
  'packages/service-kit/src/http/index.ts': "export { b } from './serve.js';",
  'packages/service-kit/src/http/serve.ts': "import { Bill } from '@pos/rest-contracts/bills'; export const b = Bill;",
  'packages/sandbox/src/acquirer/index.ts': "export type { B } from './acquirer.js';",
  'packages/sandbox/src/acquirer/acquirer.ts':
    "import type { BillMessage } from '@pos/grpc-contracts/gen/bill'; export type B = BillMessage;",
  'apps/api/src/main.ts': "import '@pos/payments/captures'; import '@pos/service-kit/http';",
  'apps/pay-at-table-gateway/src/epos-routing/d1.ts':
    "import type { BillMessage } from '@pos/grpc-contracts/gen/bill'; export type B = BillMessage;",
  'apps/portal/src/main.ts': "import '@pos/rest-contracts/bills';",
  'apps/checkout/src/main.ts': "import '@pos/service-kit/http';",
  'apps/checkout/src/page/main.ts':
    "import './bill.js'; import type { Bill } from '@pos/rest-contracts/bills'; export type B = Bill;",
  'apps/checkout/src/page/bill.ts': 'export const bill = 1;',
  'apps/card-vault/src/frame/page/main.ts': "import './formats.js'; import './frame.css';",
  'apps/card-vault/src/frame/page/formats.ts': 'export const format = 1;',
  'tools/src/seed.ts': "import '@pos/store/rows';",
};

const MESSAGE = "import type { BillMessage } from '@pos/grpc-contracts/gen/bill'; export type B = BillMessage;";

/** Every row is a file of the small repository, so that one run checks them all. */
const REFUSED: readonly (readonly [rule: string, file: string, says: string])[] = [
  // rule                             file                                         says
  ['core-imports-nothing', 'packages/core/src/bad.ts', "import 'node:fs';"],
  ['core-imports-nothing', 'packages/core/src/bad.ts', "import { z } from 'zod'; export const x = z;"],
  ['core-keeps-its-layer', 'packages/core/src/bad.ts', "import '@pos/rest-contracts/bills';"],
  [
    'core-hashes-in-two-places',
    'packages/core/src/bill.ts',
    "import { createHash } from 'node:crypto'; export const x = createHash;",
  ],
  ['core-hashes-in-two-places', 'packages/core/src/bill.ts', "import 'crypto';"],
  [
    'browsers-hash-nothing',
    'packages/rest-contracts/src/bad.ts',
    "import { hash } from '@pos/core/ids'; export const x = hash;",
  ],
  [
    'browsers-hash-nothing',
    'packages/rest-contracts/src/bad.ts',
    "import { sign } from '@pos/core/webhook-signatures'; export const x = sign;",
  ],
  [
    'browsers-hash-nothing',
    'apps/portal/src/web/bad.ts',
    "import { hash } from '@pos/core/ids'; export const x = hash;",
  ],
  ['rest-contracts-need-zod-only', 'packages/rest-contracts/src/bad.ts', "import 'node:fs';"],
  ['rest-contracts-keeps-its-layer', 'packages/rest-contracts/src/bad.ts', "import '@pos/store/rows';"],
  [
    'grpc-contracts-keeps-its-layer',
    'packages/grpc-contracts/src/bad.ts',
    "import type { Money } from '@pos/core/money'; export type M = Money;",
  ],
  ['store-keeps-its-layer', 'packages/store/src/bad.ts', "import '@pos/payments/captures';"],
  ['postgres-keeps-its-layer', 'packages/postgres/src/bad.ts', "import '@pos/store/rows';"],
  [
    'postgres-knows-no-payment',
    'packages/postgres/src/bad.ts',
    "import type { Money } from '@pos/core/money'; export type M = Money;",
  ],
  ['payments-keeps-its-layer', 'packages/payments/src/bad.ts', "import '@pos/sandbox/acquirer';"],
  ['payments-keeps-its-layer', 'packages/payments/src/bad.ts', "import '@pos/rest-contracts/bills';"],
  ['service-kit-keeps-its-layer', 'packages/service-kit/src/bad.ts', "import '@pos/store/rows';"],
  ['sandbox-keeps-its-layer', 'packages/sandbox/src/bad.ts', "import '@pos/payments/captures';"],
  ['packages-know-no-app', 'packages/payments/src/bad.test.ts', "import '@pos/api/main';"],
  [
    'only-store-and-postgres-know-the-driver',
    'packages/payments/src/bad.ts',
    "import pg from 'pg'; export const x = pg;",
  ],
  [
    'only-store-and-postgres-know-the-driver',
    'apps/api/src/bad.ts',
    "import type { EntityManager } from 'typeorm'; export type X = EntityManager;",
  ],
  ['only-store-and-postgres-know-the-driver', 'tools/src/bad.test.ts', "import 'pg';"],
  ['nest-modules-keeps-its-layer', 'packages/nest-modules/src/bad.ts', "import '@pos/sandbox/acquirer';"],
  ['domain-knows-no-framework', 'packages/payments/src/bad.ts', "import '@nestjs/common';"],
  ['apps-know-no-app', 'apps/api/src/bad.ts', "import '../../portal/src/main.js';"],
  ['apps-know-no-app', 'apps/api/src/bad.ts', "import '@pos/tools/seed';"],
  ['web-pages-import-contracts-and-components', 'apps/portal/src/web/bad.ts', "import '@pos/store/rows';"],
  ['web-pages-import-rest-contracts-only', 'apps/checkout/src/bad.ts', "import '@pos/store/rows';"],
  ['browsers-load-pages-only', 'apps/checkout/src/page/bad.ts', "import '@pos/store/rows';"],
  ['browsers-load-pages-only', 'apps/checkout/src/page/bad.ts', "import '../main.js';"],
  ['browsers-load-pages-only', 'apps/checkout/src/page/bad.ts', "import 'node:fs';"],
  ['card-fields-import-nothing', 'apps/card-vault/src/frame/page/bad.ts', "import '@pos/core/money';"],
  ['card-fields-import-nothing', 'apps/card-vault/src/frame/page/bad.ts', "import 'zod';"],
  ['generated-types-stop-at-the-edge', 'packages/payments/src/bad.ts', MESSAGE],
  ['generated-types-stop-at-the-edge', 'apps/api/src/bad.ts', MESSAGE],
  ['generated-types-stop-at-the-edge', 'apps/pay-at-table-gateway/src/journeys/bad.ts', MESSAGE],
  ['tests-stay-outside', 'apps/api/src/bad.ts', "import '@pos/store/testing';"],
  ['tests-stay-outside', 'packages/payments/src/captures/bad.ts', "import './captures.test.js';"],
  ['public-modules-only', 'packages/payments/src/bad.ts', "import '@pos/store/rows/rows';"],
  [
    'public-modules-only',
    'apps/api/src/bad.ts',
    "import type { M } from '@pos/rest-contracts/bills/bills'; export type X = M;",
  ],
  ['public-modules-only', 'apps/api/src/bad.test.ts', "import '../../../packages/store/src/rows/rows.js';"],
  ['public-modules-only', 'tools/src/bad.ts', "import '@pos/core/money/money';"],
  ['no-index-from-inside', 'packages/store/src/bad.ts', "import './rows/index.js';"],
  ['no-index-from-inside', 'packages/store/src/rows/bad.ts', "import './index.js';"],
];

const CYCLE: Readonly<Record<string, string>> = {
  'packages/core/src/bill.ts': "import type { Tip } from './tip.js'; export interface Bill { tips: Tip[] }",
  'packages/core/src/tip.ts': "import type { Bill } from './bill.js'; export interface Tip { bill: Bill }",
};

const AT_THE_EDGE: readonly string[] = [
  'packages/payments/src/wire.ts',
  'apps/api/src/journeys-controller.ts',
  'apps/pay-at-table-gateway/src/machines/stream.ts',
  'apps/api/src/message.test.ts',
];

let trespasses: readonly BoundaryViolation[] = [];

beforeAll(async () => {
  trespasses = await findTrespasses({
    ...TIDY,
    ...Object.fromEntries(REFUSED.map(([, file, says], row) => [getFile(file, row), says])),
    ...CYCLE,
    ...Object.fromEntries(AT_THE_EDGE.map((file) => [file, MESSAGE])),
  });
});

test.each(REFUSED.map(([rule, file, says], row) => [rule, file, says, row] as const))(
  '%s: %s may not say %s',
  (rule, file, _says, row) => {
    expect(trespasses).toContainEqual(expect.objectContaining({ rule, from: getFile(file, row) }));
  },
);

test('two files that import each other are refused', () => {
  expect(new Set(Object.keys(CYCLE).flatMap(rulesAgainst))).toEqual(new Set(['no-cycles']));
});

test.each(AT_THE_EDGE)('%s is at the edge and may see messages', (file) => {
  expect(rulesAgainst(file)).toEqual([]);
});

test.each(Object.keys(TIDY))('%s, which no row spoils, is in order', (file) => {
  expect(rulesAgainst(file)).toEqual([]);
});

function rulesAgainst(file: string): string[] {
  return trespasses.filter(({ from }) => from === file).map(({ rule }) => rule);
}

function getFile(file: string, row: number): string {
  return file.replace(/(?=(\.test)?\.ts$)/, `-${row}`);
}

async function findTrespasses(files: Readonly<Record<string, string>>): Promise<readonly BoundaryViolation[]> {
  for (const [file, says] of Object.entries(files)) write(file, says);
  const packages = ['core', 'grpc-contracts', 'rest-contracts', 'store', 'payments', 'service-kit', 'sandbox'];
  for (const folder of [...packages.map((name) => `packages/${name}`), 'apps/api', 'tools']) {
    write(`${folder}/package.json`, JSON.stringify({ name: `@pos/${path.basename(folder)}` }));
  }
  return findBoundaryViolations(small, REPOSITORY);
}

function write(file: string, says: string): void {
  mkdirSync(path.dirname(path.join(small, file)), { recursive: true });
  writeFileSync(path.join(small, file), says);
}
