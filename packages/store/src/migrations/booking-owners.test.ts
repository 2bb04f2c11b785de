import { expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createDatabaseOfRelease, createTestScope, readTestServer } from '../testing/test-database.js';
import { bindBooking } from '../tables/epos-bookings.js';
import { MIGRATIONS_FOLDER } from './migration-files.js';
import { migrate } from './migrate.js';

const FIRST = 51;
const LATER = new Date('2040-01-01T00:00:00Z');

/** The migrations before the one that gives present bookings an owner. */
function copyEarlierMigrations(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pos-owners-'));
  const isEarlier = (file: string): boolean => !(Number.parseInt(path.basename(file), 10) >= FIRST);
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true, filter: isEarlier });
  return folder;
}

test('bookings that an earlier release has bound belong to it after the migration, and no search binds them', async () => {
  const folder = copyEarlierMigrations();
  const testDatabase = await createDatabaseOfRelease(folder);
  const scope = createTestScope();
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  // As the earlier release writes them: without an owner. Nothing has kept two of them from having one id.
  await owner.query(
    `insert into epos_bookings (account_id, environment, kind, service_id, epos_id, may_exist, created_at)
     values ($1, $2, 'Party', 's-1', 'epos-1', true, '2026-01-01'), ($1, $2, 'Party', 's-2', 'epos-1', true, '2026-02-01'),
       ($1, $2, 'Reservation', 's-3', 'epos-1', true, '2026-01-01'), ($1, $2, 'Party', 's-4', null, true, '2026-01-01')`,
    [scope.accountId, scope.environment],
  );
  await migrate(testDatabase.ownerUrl, readTestServer());
  const owners = await owner.query('select kind, epos_id, service_id from epos_booking_owners order by kind');
  expect(owners.rows).toEqual([
    { kind: 'Party', epos_id: 'epos-1', service_id: 's-2' },
    { kind: 'Reservation', epos_id: 'epos-1', service_id: 's-3' },
  ]);
  const bind = (requestedAt: Date | null) =>
    testDatabase.database.transact(scope, (tx) =>
      bindBooking(tx, { kind: 'Party', serviceId: 's-4' }, { eposId: 'epos-1', keepUntil: LATER, requestedAt }),
    );
  // A creation that was sent before the migration may be the one whose booking another one has found.
  expect([await bind(null), await bind(new Date('2026-03-01T00:00:00Z'))]).toEqual([false, false]);
  await owner.end();
  await testDatabase.close();
  rmSync(folder, { recursive: true });
});
