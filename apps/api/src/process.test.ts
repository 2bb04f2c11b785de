import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase, type TestDatabase } from '@pos/store/testing';
import { endWithAnotherPepper } from '@pos/store/testing-apps';

let world: TestDatabase;
beforeAll(async () => {
  world = await freshDatabase();
  await world.open();
});
afterAll(() => world.close());

test('a database of another pepper it does not serve: it ends with 2 and one line that names the setting', async () => {
  const { code, said } = await endWithAnotherPepper(world, { ACQUIRER_ADDRESS: '127.0.0.1:1', HTTP_PORT: '0' });
  expect(code).toBe(2);
  expect(said).toContain('  KEY_PEPPER: is not the one');
  expect(said).not.toContain('    at ');
});
