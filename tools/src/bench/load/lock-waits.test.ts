import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { LockWaitSampler } from './lock-waits.js';
import { connectPlainClient, type PlainClient } from './plain-pool.js';

const MINUTE = 60_000;
const clients: PlainClient[] = [];
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await startPostgres({
    ...{ dataDir: await mkdtemp(path.join(tmpdir(), 'lock-waits-')), durable: false, afterExit: 'remove' },
  });
}, MINUTE);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await server.remove();
}, MINUTE);

async function connect(): Promise<PlainClient> {
  const client = await connectPlainClient(server.url);
  clients.push(client);
  return client;
}

test('a session that waits for a row lock is counted for the side that runs', async () => {
  const [holder, waiter, watcher] = [await connect(), await connect(), await connect()];
  await holder.query('create table payment (id int); insert into payment values (1)');
  const sampler = new LockWaitSampler(async (text) => (await watcher.query<{ waiting: number }>(text)).rows);
  sampler.start();
  await pause(100);
  await holder.query('begin; select from payment for update');
  const waiting = waiter.query('select from payment for update');
  while ((await holder.query(`select from pg_locks where not granted`)).rowCount === 0) await pause(5);
  sampler.side = 'ours';
  await pause(100);
  const { ours, floor } = await sampler.stop();
  await holder.query('rollback');
  await waiting;
  expect(ours).toBe(1);
  expect(floor).toBeLessThan(1);
});
