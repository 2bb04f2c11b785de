import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiWorld } from './testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
  // The first use of a key is noted, which is no part of an answer.
  await world.send('GET', '/api-keys');
});
afterAll(() => world.close());

/** What the api asked of its database last. */
async function lastAsked(): Promise<string> {
  const [last] = await world.look<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and application_name = 'api'
     and query <> '' order by state_change desc limit 1`,
  );
  return last?.query ?? '';
}

test.each([
  '/epos/integrations',
  '/epos/integrations/rest',
  '/epos/integrations/ws',
  '/epos/integrations/service',
  '/epos/integrations/grpc',
  '/api-keys',
  '/webhooks',
  '/reconciliation',
  '/sandbox/epos',
])('GET %s, which one statement answers, ends with it', async (path) => {
  const answer = await world.send('GET', path);
  expect(answer.status).toBe(200);
  expect(await lastAsked()).toMatch(/^select /);
});

test('an answer of several statements is one snapshot, which ends with COMMIT', async () => {
  expect((await world.send('GET', '/terminals')).status).toBe(200);
  expect(await lastAsked()).toBe('commit');
});
