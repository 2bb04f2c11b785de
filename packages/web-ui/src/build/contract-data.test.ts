import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'vite';
import { takeContractData } from './contract-data.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'contract-data-'));
  const files = {
    'node_modules/zod/index.js': 'export const object = (shape) => ({ shape, parse: (value) => value });',
    'rest-contracts/dist/orders/index.js': `
      import { object } from '../../../node_modules/zod/index.js';
      export const Order = object({ total: 'number' });
      export const listOrders = { id: 'listOrders', method: 'GET', path: '/orders', returns: Order };
      export const ORDER_HEADER = 'order-id';
      export const STATES = [{ key: 'open', next: null }];
      export const ORDER_OPERATIONS = [listOrders];
      export const total = (order) => order.total;`,
    'rest-contracts/dist/samples/index.js': "export const writeSample = () => 'sample';",
    'rest-contracts/dist/parsing/index.js': "export { object } from '../../../node_modules/zod/index.js';",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Builds a page that prints what it imports of a module of the contracts. */
async function buildPage(names: string, module: string): Promise<string> {
  const entry = path.join(folder, 'page.js');
  writeFileSync(entry, `import { ${names} } from './rest-contracts/dist/${module}/index.js';\nconsole.log(${names});`);
  const built = await build({
    ...{ root: folder, configFile: false, logLevel: 'silent', plugins: [takeContractData()] },
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const [page] = Array.isArray(built) ? built : [built];
  if (!('output' in page)) throw new Error('nothing was built');
  return page.output[0].code;
}

test('a page gets the method and path of an operation, and constants, without schemas', async () => {
  const code = await buildPage('listOrders, ORDER_HEADER, STATES', 'orders');
  const printed = '{"method":"GET","path":"/orders"},"order-id",[{"key":"open","next":null}]';
  expect(code.replaceAll(/^\/\/.*$|\s/gm, '')).toBe(`console.log(${printed});`);
});

test.each(['Order', 'ORDER_OPERATIONS', 'total'])('a page that uses %s of a contract does not build', async (name) => {
  await expect(buildPage(name, 'orders')).rejects.toThrow('MISSING_EXPORT');
});

test('a page may use functions of a module without operations', async () => {
  expect(await buildPage('writeSample', 'samples')).toContain('"sample"');
});

test('a page that contains schemas does not build', async () => {
  await expect(buildPage('object', 'parsing')).rejects.toThrow('contains schemas');
});
