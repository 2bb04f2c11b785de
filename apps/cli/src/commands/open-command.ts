import { openInBrowser, toggle } from '@pos/command-line';
import { type CommandRun, defineCommand } from '../command/command-definition.js';
import type { DevWorld } from '../connection/dev-world.js';
import { WrongUse } from '../failures/wrong-use.js';

type FindAddress = (run: CommandRun) => string | Promise<string>;

const AMOUNT = { value: 1250, currencyCode: 'GBP' } as const;

/** The pages, and how the address of each is found. */
const PAGES: Readonly<Record<string, FindAddress>> = {
  portal: (run) => requireDevWorld(run).urls.portal,
  docs: (run) => `${requireDevWorld(run).urls.portal}/reference`,
  machine: (run) => {
    const { sandbox } = run.connect();
    const address = new URL(requireDevWorld(run).urls.waiter);
    address.searchParams.set('account', sandbox().accountId);
    return address.href;
  },
  checkout: createPaymentPage,
};
const NAMES = Object.keys(PAGES);

/** `pos open`. */
export const openCommand = defineCommand({
  path: 'open',
  details: [
    [
      'Pages:',
      '  portal    the portal, for people who sign in',
      '  docs      the reference of the API',
      '  machine   a card machine on screen',
      '  checkout  the payment page of a new payment of 12.50',
    ].join('\n'),
    'Nothing is opened where nobody would see it: without a screen, over SSH, in CI, or with OPEN_BROWSER=false.',
  ],
  examples: ['open portal', 'open checkout --print'],
  flags: { print: toggle('Only prints the address.') },
  operands: { placeholder: 'page', brief: NAMES.join(', '), min: 1, max: 1, choices: NAMES },
  run: async (run, { values, operands: [name = ''] }) => {
    const find = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
    if (find === undefined) throw new WrongUse(`${name}: must be one of ${NAMES.join(', ')}`);
    const address = await find(run);
    const { env, isTerminal } = run;
    const isOpened = !values.print && openInBrowser(address, { env, platform: process.platform, isTerminal });
    run.report({ page: name, address, isOpened }, address);
    return undefined;
  },
});

function requireDevWorld(run: CommandRun): DevWorld {
  const { dev } = run.connect();
  if (dev === null) throw new WrongUse('this page is one of npm start; unset POS_API_URL and POS_API_KEY');
  return dev;
}

async function createPaymentPage(run: CommandRun): Promise<string> {
  const { client, isSandbox } = run.connect();
  if (!isSandbox) throw new WrongUse('this key is no sandbox key, and the page would take real money');
  const { paymentLink } = await client.paymentIntents.create({ amount: AMOUNT, reference: 'pos open checkout' });
  if (paymentLink === undefined) throw new WrongUse('the service creates no payment links');
  return paymentLink;
}
