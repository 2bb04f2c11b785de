import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getAccount, makeAccount } from './accounts.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';

// Who asked to hear of unsuccessful attempts goes on hearing of them, though the setting has another name.

const RENAMING = readFileSync(new URL('../migrations/0037_report_unsuccessful.sql', import.meta.url), 'utf8');

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.close());

test.each<[string, object, object]>([
  ['asked', { payAtTable: { reportsUnsuccessful: true, asksGratuity: false } }, { reportUnsuccessful: true }],
  ['did not want it', { payAtTable: { reportsUnsuccessful: false } }, { reportUnsuccessful: false }],
  [
    'asked and said otherwise by the new name',
    { payAtTable: { reportsUnsuccessful: true, reportUnsuccessful: false } },
    { reportUnsuccessful: false },
  ],
  ['said nothing of it', { payAtTable: { asksGratuity: false } }, { reportUnsuccessful: false, asksGratuity: false }],
  ['said nothing at all', {}, { reportUnsuccessful: false, asksGratuity: true }],
])('an account that %s before the setting was renamed', async (_, stored, settings) => {
  const scope = freshScope();
  await makeAccount(place.database, {
    ...{ id: scope.accountId, name: scope.accountId, tradingName: 'The Anchor', merchantId: '5400001' },
    locationId: newId('location', 'sandbox', randomBytes(16)),
    ...{ currencies: ['GBP'], createdAt: new Date('2026-03-01T12:00:00.000Z'), settings: stored },
  });
  const owner = await place.open({ url: place.ownerUrl });
  for (let times = 0; times < 2; times += 1) await owner.dataSource.query(RENAMING);
  const account = await place.database.read(scope, (reader) => getAccount(reader));
  expect(account.settings.payAtTable).toMatchObject(settings);
});
