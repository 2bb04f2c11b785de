import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { startPostgres } from '@pos/dev-database';
import { migrate } from '@pos/store/migrations';
import { findFreePorts } from '@pos/dev-database';
import { startProgram } from '../load/child.js';

const FLOOR = path.resolve(import.meta.dirname, '../../../dist/bench/floors/floor-http.js');

// A floor that cannot write measures nothing, and every ratio to it is infinite.
test('the floor of create + fetch writes its rows into the schema of this release', async () => {
  const postgres = await startPostgres({ dataDir: await mkdtemp(path.join(tmpdir(), 'floor-')) });
  await migrate(postgres.url, { appPassword: 'app', vaultPassword: 'vault' });
  const [port] = (await findFreePorts(1)).map(String);
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const env = { DATABASE_URL: postgres.url, PORT: port ?? '', ACCOUNT_ID: 'acc_floor' };
  const floor = await startProgram(process.execPath, { args: [FLOOR], env }, isReady);
  try {
    const body = JSON.stringify({ amount: { value: 1250 }, reference: 'floor' });
    const headers = { 'content-type': 'application/json' };
    const created = await fetch(`${url}/payment-intents`, { method: 'POST', headers, body });
    expect(created.status).toBe(200);
    const { id } = (await created.json()) as { id: string };
    const fetched = await fetch(`${url}/payment-intents/${id}`);
    expect(await fetched.json()).toMatchObject({ id, amount: 1250, status: 'Created' });
  } finally {
    await floor.stop();
    await postgres.remove();
  }
});
