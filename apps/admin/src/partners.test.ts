import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';

let environment: CommandEnvironment;
let account: string;
beforeAll(async () => {
  environment = await createCommandEnvironment();
  account = await environment.createAccount();
});
afterAll(() => environment.close());

const HOUSE = ['--kind', 'software-house', '--id', 'Till Makers'];

/** A production payment of a day, with its call and its line in the listing. */
async function insertPayment(
  name: string,
  {
    day,
    amount = 1_000,
    type = 'Sale',
    status = 'Authorized',
    currency = 'GBP',
    house = null,
    callHouse = null,
  }: {
    readonly day: string;
    readonly amount?: number;
    readonly type?: string;
    readonly status?: string;
    readonly currency?: string;
    readonly house?: string | null;
    readonly callHouse?: string | null;
  },
): Promise<void> {
  const at = `${day}T12:00:00Z`;
  await environment.query(
    `insert into payment_intents (account_id, environment, id, version, status, capture_mode, currency, amount, authorized,
       captured, pending_capture, pending_refund, refunded, reference, metadata, details, card_holder_not_present,
       payment_methods, payment_source, expire_at, chain_head, chain_length, software_house_id, created_at, updated_at)
     values ($1, 'production', $2, 1, 'Captured', 'Auto', $3, $4, $4, $4, 0, 0, 0, 'r', '{}', '{}', true, '{}', 'Online',
       $5, '', 0, $6, $5, $5)`,
    [account, `pi_${name}`, currency, amount, at, house],
  );
  await environment.query(
    `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, amount, currency, state, deadline_at, version,
       software_house_id, created_at, updated_at)
     values ($1, 'production', 'merchant-1', $2, 'Sale', $3, $4, 'Settled', $5, 1, $6, $5, $5)`,
    [account, `ref-${name}`, amount, currency, at, callHouse],
  );
  await environment.query(
    `insert into transactions (account_id, environment, id, legacy_id, acquirer_reference, type, status, currency, amount,
       tips_amount, cashback_amount, auth_code, is_charge, intent_id, created_at, updated_at)
     values ($1, 'production', gen_random_uuid(), ('x' || substr(md5($2), 1, 12))::bit(48)::bigint + 1, $3, $4, $5, $6, $7,
       50, 0, '', false, $8, $9, $9)`,
    [account, name, `ref-${name}`, type, status, currency, amount, `pi_${name}`, at],
  );
}

test('a partner is registered, listed, changed, retired and reactivated', async () => {
  await environment.runJson(['partner', 'register', ...HOUSE, '--name', 'Till Makers Ltd', ...REASON]);
  const shown = await environment.runJson<object>(['partner', 'show', ...HOUSE]);
  expect(shown).toMatchObject({ kind: 'software-house', id: 'Till Makers', status: 'Active', contact: null });
  await environment.runJson(['partner', 'update', ...HOUSE, '--contact', 'service line', ...REASON]);
  await environment.runJson(['partner', 'retire', ...HOUSE, ...REASON]);
  const { output } = await environment.run(['partner', 'list']);
  expect(output).toMatch(/software-house +Till Makers +Retired +Till Makers Ltd/);
  expect(output).toContain('requests that name another partner are refused');
  await environment.runJson(['partner', 'reactivate', ...HOUSE, ...REASON]);
  expect(await environment.runJson(['partner', 'show', ...HOUSE])).toMatchObject({
    ...{ status: 'Active', contact: 'service line' },
  });
  const again = await environment.run(['partner', 'register', ...HOUSE, '--name', 'Twice', ...REASON]);
  expect([again.exitCode === 0, again.error]).toEqual([false, expect.stringContaining('is registered already')]);
});

test('the turnover of a period is summed by partner and currency, at its edges and with returned money', async () => {
  await insertPayment('before', { day: '2026-12-31', callHouse: 'Till Makers' });
  await insertPayment('first', { day: '2027-01-01', callHouse: 'Till Makers' });
  await insertPayment('by-intent', { day: '2027-01-31', house: 'Till Makers' });
  await insertPayment('other-house', { day: '2027-01-10', house: 'Till Makers', callHouse: 'Unknown House' });
  await insertPayment('refund', { day: '2027-01-11', type: 'Refund', amount: 300, callHouse: 'Till Makers' });
  await insertPayment('declined', { day: '2027-01-12', status: 'Declined', callHouse: 'Till Makers' });
  await insertPayment('held', {
    day: '2027-01-12',
    type: 'PreAuth',
    status: 'AwaitingCollection',
    callHouse: 'Till Makers',
  });
  await insertPayment('reversed', { day: '2027-01-12', status: 'Reversed', callHouse: 'Till Makers' });
  await insertPayment('yen', { day: '2027-01-13', currency: 'JPY', callHouse: 'Till Makers' });
  await insertPayment('after', { day: '2027-02-01', callHouse: 'Till Makers' });
  const period = ['--from', '2027-01-01', '--to', '2027-02-01'];
  const { output, exitCode } = await environment.run([
    'partner',
    'report',
    ...period,
    '--kind',
    'software-house',
    '--csv',
  ]);
  expect(exitCode).toBe(0);
  expect(output.trim().split(/\r?\n/)).toEqual([
    'kind,partner,name,status,currency,payments,taken,refunds,returned,net',
    'software-house,Till Makers,Till Makers Ltd,Active,GBP,2,21.00,1,3.50,17.50',
    'software-house,Till Makers,Till Makers Ltd,Active,JPY,1,1050,0,0,1050',
    'software-house,Unknown House,,,GBP,1,10.50,0,0.00,10.50',
  ]);
  const tooLong = await environment.run(['partner', 'report', '--from', '2027-01-01', '--to', '2027-06-01']);
  expect([tooLong.exitCode === 0, tooLong.error]).toEqual([false, expect.stringContaining('at most 92 days')]);
});

test('partners are enforced only once those of recent traffic are registered, or by force', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  await insertPayment('recent', { day: yesterday, callHouse: 'Old House' });
  await insertPayment('hidden', { day: yesterday, house: '[hidden]' });
  await environment.runJson(['partner', 'enforce', '--off', ...REASON]);
  const found = await environment.runJson<object>(['partner', 'unregistered', '--days', '31']);
  expect(found).toEqual({
    partners: [{ kind: 'software-house', id: 'Old House' }],
    unusable: [{ kind: 'software-house', id: '[hidden]' }],
  });
  const refused = await environment.run(['partner', 'enforce', ...REASON]);
  expect([refused.exitCode === 0, refused.error]).toEqual([false, expect.stringContaining('software-house Old House')]);
  await environment.runJson(['partner', 'enforce', '--force', ...REASON]);
  await environment.runJson(['partner', 'enforce', '--off', ...REASON]);
  await environment.runJson(['partner', 'adopt', '--days', '31', ...REASON]);
  expect(await environment.runJson(['partner', 'enforce', ...REASON])).toEqual({ isEnforced: true });
  expect(await environment.runJson(['partner', 'list'])).toMatchObject({
    isEnforced: true,
    partners: expect.arrayContaining([expect.objectContaining({ id: 'Old House', name: 'Old House' })]),
  });
});
