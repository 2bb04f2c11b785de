import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { storeDeclaration } from '@pos/store/repositories';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { createAccount } from './account-administration.js';
import { changeAccountSettings, getAccountSettings } from '@pos/payments/account-settings';

const CHANGE = { actor: 'anna', reason: 'contract 4711' };

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  for (const [environment, name] of [
    ['sandbox', 'default'],
    ['production', 'default'],
    ['production', 'north'],
  ] as const) {
    await storeDeclaration(testDatabase.database, { environment, name, capabilities: COMPLETE_CAPABILITIES });
  }
});
afterAll(() => testDatabase.close());

const newNumber = (): string => `m-${randomBytes(5).toString('hex')}`;

async function create(merchantId: string): Promise<Scope> {
  const request = { name: 'a', tradingName: 'A', merchantId, currencies: ['GBP'] };
  const { id: accountId } = await createAccount(testDatabase.database, CHANGE, request);
  return { accountId, environment: 'production' };
}

const change = (scope: Scope, values: Readonly<Record<string, unknown>>) =>
  testDatabase.database.transact(scope, (tx) => changeAccountSettings(tx, CHANGE, values));

/** The members of the refusal with their messages, or `done`. */
async function describeRefusal(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.members;
    throw error;
  }
}

let number: string;
let owner: Scope;
beforeEach(async () => {
  number = newNumber();
  owner = await create(number);
});

describe('no two accounts have one number at an acquirer', () => {
  test('of accounts that are created with it at the same time one is created', async () => {
    const wanted = newNumber();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => describeRefusal(create(wanted).then(() => 1))));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
    const [{ count } = { count: 0 }] = await countAccounts(wanted);
    expect(count).toBe(1);
    for (const each of outcomes.filter((other) => other !== 'done')) {
      expect(each).toEqual({ merchantId: [expect.stringMatching(/^is the number of account acc_/)] });
    }
  });

  test('of accounts that take it at the same time one gets it', async () => {
    const scopes = await Promise.all(Array.from({ length: 6 }, () => create(newNumber())));
    const wanted = newNumber();
    const outcomes = await Promise.all(scopes.map((each) => describeRefusal(change(each, { merchantId: wanted }))));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
    expect((await countAccounts(wanted))[0]?.count).toBe(1);
  });

  test.each<[string, (taken: string) => Readonly<Record<string, unknown>>, string]>([
    ['as its own number', (taken) => ({ merchantId: taken }), 'merchantId'],
    [
      'as its number at the same acquirer',
      (taken) => ({ 'merchantIds.production': { default: taken } }),
      'merchantIds.production',
    ],
  ])('another account does not take it %s', async (_, values, setting) => {
    const other = await create(newNumber());
    const refused = await describeRefusal(change(other, values(number)));
    expect(refused).toEqual({ [setting]: [expect.stringContaining(`account ${owner.accountId}`)] });
  });

  test('it may be the number of another account at another acquirer, and is not taken by moving there', async () => {
    const other = await create(newNumber());
    expect(await describeRefusal(change(other, { 'merchantIds.production': { north: number } }))).toBe('done');
    const moved = await describeRefusal(change(owner, { 'acquirer.production': 'north' }));
    expect(moved).toEqual({
      'merchantIds.production': [`needs a number for north, where ${number} is that of account ${other.accountId}`],
    });
    const numbered = { 'acquirer.production': 'north', 'merchantIds.production': { north: newNumber() } };
    expect(await describeRefusal(change(owner, numbered))).toBe('done');
  });

  test('an account that moves keeps the number of the acquirer that has its payments', async () => {
    await change(owner, { 'acquirer.production': 'north', 'merchantIds.production': { north: newNumber() } });
    const other = await describeRefusal(create(number));
    expect(other).toEqual({ merchantId: [`is the number of account ${owner.accountId}`] });
  });

  test('a number that its account has no longer is free again, because no call was made under it', async () => {
    await change(owner, { merchantId: newNumber() });
    expect(await describeRefusal(create(number))).toBe('done');
  });
});

describe('an acquirer that has never answered a process is named', () => {
  test.each<[string, unknown]>([
    ['acquirer.production', 'south'],
    ['acquirer.sandbox', 'north'],
    ['merchantIds.production', { south: '7' }],
    ['merchantIds.sandbox', { north: '7' }],
  ])('%s=%p is refused by its name', async (setting, value) => {
    const before = await testDatabase.database.read(owner, getAccountSettings);
    expect(await describeRefusal(change(owner, { [setting]: value, site: '1 High Street' }))).toEqual({
      [setting]: [
        expect.stringMatching(
          /^names \w+, which has never answered a process of (sandbox|production): only default(, north)?$/,
        ),
      ],
    });
    expect(await testDatabase.database.read(owner, getAccountSettings)).toEqual(before);
  });

  test('the default one is refused, too, where no process has it', async () => {
    const withoutAny = await createTestDatabase();
    const request = { name: 'a', tradingName: 'A', merchantId: number, currencies: ['GBP'] };
    const { id: accountId } = await createAccount(withoutAny.database, CHANGE, request);
    const values = { 'acquirer.production': 'default' };
    const attempt = withoutAny.database.transact({ accountId, environment: 'production' }, (tx) =>
      changeAccountSettings(tx, CHANGE, values),
    );
    expect(await describeRefusal(attempt)).toEqual({
      'acquirer.production': ['names default, which has never answered a process of production: none has'],
    });
    await withoutAny.close();
  });
});

function countAccounts(merchantId: string): Promise<{ count: number }[]> {
  return testDatabase.database.dataSource.query('select count(*)::int as count from accounts where merchant_id = $1', [
    merchantId,
  ]);
}
