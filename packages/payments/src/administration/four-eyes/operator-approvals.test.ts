import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@pos/store/database/database';
import { createTestEnvironment, getOutcome, type TestEnvironment } from '../../testing/test-environment.js';
import { decideAboutOperator, requestSecondOperator } from './operator-approvals.js';

let testEnvironment: TestEnvironment;
let owner: Database;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  owner = await testEnvironment.testDatabase.open({ url: testEnvironment.testDatabase.ownerUrl });
});
afterAll(() => testEnvironment.close());

type Making = readonly [actor: string, action: string, user: string];

/** Stores that the actor has changed the user as an operator may. */
async function recordMakings(makings: readonly Making[], before: string): Promise<void> {
  for (const making of makings) {
    await owner.dataSource.query(
      `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, created_at)
       values ('acc_system0000000000000000', 'production', $1, $2, $3, $4, 'r', now() - $5::interval)`,
      [randomUUID(), ...making, before],
    );
  }
}

interface People {
  readonly ann: string;
  readonly bob: string;
  readonly carl: string;
}
type MakingCase = [string, (people: People) => readonly Making[], string, 'done' | 'second_person_refused'];

test.each<MakingCase>([
  ['whom nobody has made', () => [], '1 hour', 'done'],
  ['whom somebody else has made', ({ bob, carl }) => [[carl, 'CreatePortalUser', bob]], '1 hour', 'done'],
  ['whose sessions the requester has ended', ({ ann, bob }) => [[ann, 'EndPortalSessions', bob]], '1 hour', 'done'],
  ...['CreatePortalUser', 'EnablePortalUser', 'ResetPortalPassword', 'ResetSecondFactor', 'GrantPortalRole'].map(
    (action): MakingCase => [
      `of the requester by ${action}`,
      ({ ann, bob }) => [[ann, action, bob]],
      '23 hours',
      'second_person_refused',
    ],
  ),
  [
    'of the requester, with many other entries since',
    ({ ann, bob }) => [
      [ann, 'GrantPortalRole', bob],
      ...Array.from({ length: 201 }, (): Making => [ann, 'EndPortalSessions', bob]),
    ],
    '1 minute',
    'second_person_refused',
  ],
  [
    'whom a user of the requester has made',
    ({ ann, bob, carl }) => [
      [carl, 'GrantPortalRole', bob],
      [ann, 'CreatePortalUser', carl],
    ],
    '1 hour',
    'second_person_refused',
  ],
  ['whom the requester has made long before', ({ ann, bob }) => [[ann, 'CreatePortalUser', bob]], '25 hours', 'done'],
])('a decision by a user %s', async (_, makings, before, outcome) => {
  const { database } = testEnvironment;
  const people = { ann: randomUUID(), bob: randomUUID(), carl: randomUUID() };
  const { id } = await requestSecondOperator(
    database,
    { actor: people.ann, reason: 'ticket 512' },
    { operation: 'CreateOperator', target: { email: `${people.carl}@corner.example` } },
  );
  await recordMakings(makings(people), before);
  const change = { actor: people.bob, reason: 'called ann' };
  expect(await getOutcome(decideAboutOperator(database, change, { id, isApproved: true }))).toBe(outcome);
});
