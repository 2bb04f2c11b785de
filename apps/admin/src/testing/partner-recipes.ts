import { SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import { type CommandEnvironment, REASON } from './command-environment.js';

/** The words of a command after its path, and whose audit log has its entry. */
export interface Recipe {
  readonly words: readonly string[];
  readonly account: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How each command about partners that changes something succeeds. */
export function createPartnerRecipes(
  environment: () => CommandEnvironment,
): Readonly<Record<string, (account: string) => Promise<Recipe>>> {
  const createWords = () => ['--kind', 'reseller', '--id', `r${String(process.hrtime.bigint())}`];
  const register = async (): Promise<string[]> => {
    const words = createWords();
    await environment().runJson(['partner', 'register', ...words, '--name', 'Reseller', ...REASON]);
    return words;
  };
  const system = (words: readonly string[]): Recipe => ({ words, account: SYSTEM_ACCOUNT_ID });
  return {
    'partner register': () => Promise.resolve(system([...createWords(), '--name', 'Reseller'])),
    'partner update': async () => system([...(await register()), '--name', 'Another name']),
    'partner retire': async () => system(await register()),
    'partner reactivate': async () => {
      const words = await register();
      await environment().runJson(['partner', 'retire', ...words, ...REASON]);
      return system(words);
    },
    'partner adopt': async (account) => {
      await environment().query(
        `insert into acquirer_calls (account_id, environment, merchant_id, reference, kind, state, amount, currency, deadline_at,
           reseller_id, version, created_at, updated_at)
         values ($1, 'production', 'merchant-1', $2, 'Capture', 'Settled', 100, 'GBP', now(), $2, 1, now(), now())`,
        [account, `adopted-${account.slice(4)}`],
      );
      return system([]);
    },
    'partner enforce': () => Promise.resolve(system(['--off'])),
  };
}
