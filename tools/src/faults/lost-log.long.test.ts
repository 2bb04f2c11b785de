import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createId } from '@pos/core/ids';
import type { Lease } from '@pos/core/tables';
import { queryServer } from '@pos/dev-database';
import type { Database, Tx } from '@pos/store/database';
import { APP_ROLE, buildRoleUrl, migrate } from '@pos/store/migrations';
import { openDatabase } from '@pos/store/startup';
import { findLease, insertLease } from '@pos/store/tables';
import { type FailingServer, startRestartedServer } from './failing-server.js';

const PASSWORDS = { appPassword: 'app', vaultPassword: 'vault' };
const SECRETS = { encryptionKey: randomBytes(32), pepper: 'pepper' };
const SCOPE = { accountId: createId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' } as const;

let folder: string;
let server: FailingServer;
beforeAll(async () => {
  // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
  folder = await mkdtemp('/var/tmp/pos-lost-log-');
  chmodSync(folder, 0o755);
  server = await startRestartedServer(path.join(folder, 'postgres'));
  await migrate(server.url, PASSWORDS);
  // Without it, what no COMMIT has waited for would be on disk before the kill.
  for (const setting of [`wal_writer_delay = '10s'`, `wal_writer_flush_after = '1GB'`]) {
    await queryServer(server, `alter system set ${setting}`);
  }
  await queryServer(server, 'select pg_reload_conf()');
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

function openAppDatabase(): Promise<Database> {
  const url = buildRoleUrl(server.url, APP_ROLE, PASSWORDS.appPassword);
  return openDatabase({ url, applicationName: 'test', secrets: SECRETS });
}

/** Stores leases, each by a transaction of its own, kills the server, and returns which of them it still has. */
async function storeAndKill(writes: readonly ('flushed' | 'unflushed')[]): Promise<boolean[]> {
  const leases = writes.map(() => createLease());
  const database = await openAppDatabase();
  for (const [index, write] of writes.entries()) {
    await database.transactOptimistically(SCOPE, {
      read: () => Promise.resolve(),
      decide: (tx: Tx) => {
        if (write === 'unflushed') tx.commitWithoutFlush();
        return insertLease(tx, leases[index]!);
      },
    });
  }
  await server.fail(() => Promise.resolve());
  await database.close();
  const restarted = await openAppDatabase();
  const found = await Promise.all(
    leases.map(({ leaseId }) => restarted.read(SCOPE, (reader) => findLease(reader, leaseId))),
  );
  await restarted.close();
  return found.map((lease) => lease !== null);
}

function createLease(): Lease {
  const now = new Date();
  return {
    ...{ leaseId: randomUUID(), sessionId: randomUUID(), owner: 'D1', requestor: { type: 'consumerDevice' } },
    ...{ waiterId: null, state: 'Held', eposLocked: true, lockId: null, openPayments: 0, acquiredAt: now },
    ...{ expiresAt: now, version: 1, releasedAt: null },
  };
}

test.each([
  ['a commit that waited is kept', ['flushed'], [true]],
  ['the last commit is lost if it did not wait', ['flushed', 'unflushed'], [true, false]],
  ['a commit that did not wait is kept once a later one has waited', ['unflushed', 'flushed'], [true, true]],
  ['only the end of the log is lost', ['unflushed', 'flushed', 'unflushed', 'unflushed'], [true, true, false, false]],
] as const)('when the database is killed, %s', async (_, writes, kept) => {
  expect(await storeAndKill(writes)).toEqual(kept);
});
