import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { makeAttemptsCheap } from '../testing/cheap-attempts.js';
import { createPortalUser, listPortalUsers, resetPortalPassword } from './portal-user-administration.js';

const CHANGE = { actor: 'anna', reason: 'new colleague' };
const PASSWORD = 'grey heron lake 7';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(makeAttemptsCheap());
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

test.each([
  ['short', 'grey heron7'],
  ['long', 'grey heron7'.repeat(19)],
  ['without a digit', 'grey heron lake'],
  ['without a letter', '842605731964'],
  ['common', 'Password2026!'],
  ['with the name', 'the lee heron 7 annabel'],
  ['with the address', 'colleague bobby 7'],
])('a password that is %s is refused for a new user and at a reset', async (_, password) => {
  const request = { email: 'bobby@corner.example', name: 'Annabel', password, isOperator: false };
  await expect(createPortalUser(testDatabase.database, CHANGE, request)).rejects.toMatchObject(refusalOf('password'));
  const { database } = testDatabase;
  await createPortalUser(database, CHANGE, { ...request, password: PASSWORD }).catch(() => undefined);
  const reset = { email: 'bobby@corner.example', password };
  await expect(resetPortalPassword(database, CHANGE, reset)).rejects.toMatchObject(refusalOf('password'));
});

test.each([12, 200])('a password of %i characters is accepted', async (length) => {
  const email = `of-${length}@corner.example`;
  // Characters that follow no rule.
  const hashes = ['grey', 'heron', 'lake'].map((word) => createHash('sha512').update(word).digest('base64'));
  const password = hashes.join('').slice(0, length - 2);
  expect(await create(email, `${password}7h`)).toMatchObject({ email });
});
