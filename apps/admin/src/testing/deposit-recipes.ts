import type { CommandEnvironment } from './command-environment.js';
import type { Recipe } from './partner-recipes.js';

const PAYMENT = 'pi_AAAAAAAAAAAAAAAAAAAAAA';

/** Makes a payment the deposit of a party whose creation the EPOS did not answer. Returns the payment. */
export async function createUnansweredDeposit(environment: CommandEnvironment, account: string): Promise<string> {
  await environment.query(
    `insert into epos_bookings (account_id, environment, kind, service_id, may_exist, created_at, keep_until)
     values ($1, 'production', 'Party', 'party-1', true, now(), '2030-06-02T19:00:00Z')`,
    [account],
  );
  await environment.query(
    `insert into deposit_claims
       (account_id, environment, intent_id, service_id, amount, currency, held_until, claimed_at, check_at, starts_at)
     values ($1, 'production', $2, 'party-1', 2000, 'GBP', '2030-05-02T19:00:00Z', now(), now(), now())`,
    [account, PAYMENT],
  );
  return PAYMENT;
}

/** How each command about deposits that changes something succeeds. */
export function createDepositRecipes(
  environment: () => CommandEnvironment,
): Readonly<Record<string, (account: string) => Promise<Recipe>>> {
  return {
    'deposit release': async (account) => {
      const payment = await createUnansweredDeposit(environment(), account);
      return { words: ['--account', account, '--payment', payment, '--epos-shows', 'NoParty'], account };
    },
  };
}
