import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, runWithOtherPepper, startBeforeDatabase, type TestDatabase } from '@pos/store/testing';

let testEnvironment: TestDatabase;
beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  await testEnvironment.open();
});
afterAll(() => testEnvironment.close());

test('with a database of another pepper it exits with 2, and one log line names the setting', async () => {
  const { code, output } = await runWithOtherPepper(testEnvironment, {
    ACQUIRER_ADDRESS: '127.0.0.1:1',
    HTTP_PORT: '0',
  });
  expect(code).toBe(2);
  expect(output).toContain('  KEY_PEPPER: is not the one');
  expect(output).not.toContain('    at ');
});

test('without its database it waits, logs one line, and starts when the database is available', async () => {
  const { lines, stderr, code } = await startBeforeDatabase(testEnvironment, {
    ACQUIRER_ADDRESS: '127.0.0.1:1',
    HTTP_PORT: '0',
  });
  expect(stderr).toBe('');
  const events = lines.map(({ event }) => event);
  expect(events.filter((event) => event === 'database.awaited')).toHaveLength(1);
  // Its acquirer does not answer, at any time.
  const starting = events.filter((event) => event !== 'acquirer.capabilities_unanswered').slice(0, 3);
  expect(starting).toEqual(['database.awaited', 'database.reached', 'process.started']);
  expect(lines[0]).toMatchObject({ level: 40, reason: 'away', code: 'ECONNREFUSED' });
  expect(JSON.stringify(lines)).not.toContain(new URL(testEnvironment.url).password);
  expect(code).toBe(0);
});
