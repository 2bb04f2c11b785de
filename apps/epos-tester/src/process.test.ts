import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, startBeforeDatabase, type TestDatabase } from '@pos/store/testing';

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});
afterAll(() => world.close());

test('without its database it waits, logs that in one line, and starts when the database is available', async () => {
  const { lines, stderr, code } = await startBeforeDatabase(world, { HTTP_PORT: '0' });
  expect(stderr).toBe('');
  const events = lines.map(({ event }) => event);
  expect(events.filter((event) => event === 'database.awaited')).toHaveLength(1);
  expect(events.slice(0, 3)).toEqual(['database.awaited', 'database.reached', 'process.started']);
  expect(lines[0]).toMatchObject({ level: 40, reason: 'away', code: 'ECONNREFUSED' });
  expect(JSON.stringify(lines)).not.toContain(new URL(world.url).password);
  expect(code).toBe(0);
});
