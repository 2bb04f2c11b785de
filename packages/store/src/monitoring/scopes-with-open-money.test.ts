import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { listScopesWithOpenMoney } from './scopes-with-open-money.js';

let testDatabase: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await testDatabase.close();
});

const CALL = (state: string, deadline: string, more = 'null') =>
  `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, amount, currency, state, deadline_at, version,
     created_at, updated_at, reverse_reference)
   values ($1, 'production', 'merchant-1', 'r', 'Capture', 1, 'GBP', '${state}', now() + interval '${deadline}', 1, now(), now(), ${more})`;
const PAYMENT = (state: string) =>
  `insert into table_payments (account_id, environment, id, origin, session_id, state, base_amount, gratuity_amount,
     cashback_amount, currency, record_calls, is_unanswered, lock_rounds, tries, since, version, created_at, updated_at)
   values ($1, 'production', 'tp', 'journey', 's', '${state}', 1, 0, 0, 'GBP', 0, false, 0, 0, now(), 1, now(), now())`;
const PLACEMENT = (state: string) =>
  `insert into order_placements (account_id, environment, id, intent_id, placed_order, state, total_amount,
     gratuity_amount, currency, place_calls, is_unanswered, is_hold_ending, is_money_gone, tries, may_order_stand, since,
     version, created_at, updated_at)
   values ($1, 'production', 'op', 'pi', '{}', '${state}', 1, 0, 'GBP', 0, false, false, false, 0, false, now(), 1, now(), now())`;
const DIFFERENCE = (state: string) =>
  `insert into reconciliation_differences (account_id, environment, id, kind, reference, says, happened_at, state,
     first_seen_at, last_seen_at)
   values ($1, 'production', 'd', 'NotBooked', 'r', 's', now(), '${state}', now(), now())`;

// oxfmt-ignore
test.each<[string, string, boolean]>([
  ['a payment that its EPOS has not recorded', PAYMENT('RecordUnknown'), true],
  ['a payment that has begun, whose reversal may be open', PAYMENT('Started'), true],
  ['a recorded payment', PAYMENT('Recorded'), false],
  ['a payment that was given back', PAYMENT('GivenBack'), false],
  ['an order whose money is held', PLACEMENT('Placing'), true],
  ['an order that waits for its payment', PLACEMENT('Waiting'), false],
  ['a completed order', PLACEMENT('Completed'), false],
  ['a call past its deadline', CALL('Sent', '-1 second'), true],
  ['a call within its deadline', CALL('Sent', '1 minute'), false],
  ['a refund on a card machine without an outcome, within its deadline', CALL('Unknown', '1 minute'), true],
  ['a reversal that was refused for good', CALL('Declined', '1 minute'), true],
  ['a settled call', CALL('Settled', '-1 day'), false],
  ['a call that another one reverses', CALL('Unknown', '-1 day', `'other'`), false],
  ['an open difference', DIFFERENCE('Open'), true],
  ['a difference that was answered', DIFFERENCE('Answered'), false],
])('%s makes its account one with open money, or not', async (_, insert, isOpen) => {
  await owner.query(insert, ['acc_AAAAAAAAAAAAAAAAAAAAAA']);
  const scopes = await testDatabase.database.readSystem(listScopesWithOpenMoney);
  await owner.query('truncate acquirer_calls, table_payments, order_placements, reconciliation_differences cascade');
  expect(scopes).toEqual(isOpen ? [{ accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA', environment: 'production' }] : []);
});
