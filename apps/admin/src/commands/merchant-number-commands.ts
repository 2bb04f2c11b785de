import { listMerchantIdStates, retireMerchantId } from '@pos/administration/accounts';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, environment, text, withDefault } from '../command/flags.js';
import { toTable } from '../command/result-lines.js';

const retire = defineChange({
  path: 'merchant-number retire',
  details: [
    'For a mistyped number: set the right one first, with `settings set merchantIds.production=...`. A number without a call is free as soon as another one is set.',
    'It is refused while money is open under the number: calls without an outcome, payments that are not wholly given back, open differences, and days that are not compared with the books.',
    'From then on another account may have the number at this acquirer. Calls, receipts and the audit log keep it.',
  ],
  examples: ['merchant-number retire --account acc_... --acquirer north --number 526567010 --reason "mistyped"'],
  flags: {
    account: account(),
    environment: environment(),
    acquirer: withDefault(text('The acquirer that gave the number.', 'name'), 'default'),
    number: text('The number to retire.', 'number'),
  },
  async run(session, { values, change }) {
    const { acquirer, number: merchantId } = values;
    const retired = await session.transact(values, (tx) => retireMerchantId(tx, change, { acquirer, merchantId }));
    return { data: retired, lines: [`retired ${merchantId} at ${acquirer}: another account may have it`] };
  },
});

const listAll = defineQuery({
  path: 'merchant-number list',
  details: [
    '`Used`: for new payments. `Kept`: calls were made under it. `Retired`: given up although calls were made under it.',
  ],
  examples: ['merchant-number list --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const numbers = await session.read(values, listMerchantIdStates);
    const rows = numbers.map(({ acquirer, merchantId, state }) => [acquirer, merchantId, state]);
    return { data: numbers, lines: toTable(['ACQUIRER', 'NUMBER', 'STATE'], rows, 'there are no numbers') };
  },
});

export const MERCHANT_NUMBER_COMMANDS: readonly CommandDefinition[] = [retire, listAll];
