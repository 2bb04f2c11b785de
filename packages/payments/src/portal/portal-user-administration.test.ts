import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing/test-database';
import { createPortalUser, listPortalUsers, resetPortalPassword } from './portal-user-administration.js';

const CHANGE = { actor: 'anna', reason: 'new colleague' };
const PASSWORD = 'a password of Ann';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

function create(email: string, password = PASSWORD) {
  return createPortalUser(testDatabase.database, CHANGE, { email, name: 'Ann Lee', password, isOperator: false });
}

const refusalOf = (member: string) => ({ members: { [member]: [expect.any(String)] } });

test('an address belongs to one user, however it is written', async () => {
  const { id } = await create('ann@corner.example');
  await expect(create(' Ann@Corner.EXAMPLE ')).rejects.toMatchObject(refusalOf('email'));
  expect(await listPortalUsers(testDatabase.database)).toMatchObject([{ id, email: 'ann@corner.example' }]);
});

test.each([11, 201])('a password of %i characters is refused for a new user and at a reset', async (length) => {
  const password = 'p'.repeat(length);
  await expect(create('bob@corner.example', password)).rejects.toMatchObject(refusalOf('password'));
  const reset = { email: 'ann@corner.example', password };
  await expect(resetPortalPassword(testDatabase.database, CHANGE, reset)).rejects.toMatchObject(refusalOf('password'));
});

test.each([12, 200])('a password of %i characters is accepted', async (length) => {
  const email = `of-${length}@corner.example`;
  expect(await create(email, 'p'.repeat(length))).toMatchObject({ email });
});
