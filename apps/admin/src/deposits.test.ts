import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandEnvironment, createCommandEnvironment, REASON } from './testing/command-environment.js';
import { createUnansweredDeposit } from './testing/deposit-recipes.js';

let environment: CommandEnvironment;
let account: string;
let payment: string;
beforeAll(async () => {
  environment = await createCommandEnvironment();
  account = await environment.createAccount();
  payment = await createUnansweredDeposit(environment, account);
});
afterAll(() => environment.close());

const run = (command: string, ...more: string[]) =>
  environment.run(['deposit', command, '--account', account, '--payment', payment, ...more]);

test('a deposit is shown, and is released only by an operator who states what the EPOS shows', async () => {
  const { exitCode, output } = await run('show');
  expect([exitCode, output]).toEqual([
    0,
    `2000 GBP of ${payment} is the deposit of a party\n` +
      'the EPOS did not answer the creation of the party (Unanswered)\n' +
      'it can be refunded from 2030-05-02T19:00:00Z on, or when the party has left\n',
  ]);
  const silent = await run('release', ...REASON);
  expect(silent).toMatchObject({ exitCode: 1, output: '' });
  expect(silent.error).toContain('--epos-shows must state what the EPOS shows (NoParty, PartyWithoutDeposit)');
  expect(await run('release', '--epos-shows', 'Deposit', ...REASON)).toMatchObject({ exitCode: 2, output: '' });
  expect(await run('show')).toMatchObject({ exitCode: 0 });

  const released = await run('release', '--epos-shows', 'NoParty', ...REASON);
  expect(released).toMatchObject({ exitCode: 0, output: `${payment} is no deposit any more\n` });
  const again = await run('show');
  expect(again).toMatchObject({ exitCode: 1, output: '' });
  expect(again.error).toContain('--payment is not the deposit of a party');
});
