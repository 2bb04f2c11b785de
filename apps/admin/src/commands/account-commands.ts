import { toggle } from '@pos/command-line';
import {
  createAccount,
  disableAccount,
  enableAccount,
  listAccountLocations,
  listAccounts,
  listAdministeredTerminals,
} from '@pos/administration/accounts';
import { requireAccount } from '@pos/payments/audit';
import { listKeys } from '@pos/administration/api-keys';
import type { AdministeredAccount } from '@pos/store/repositories';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, environment, list, optional, text, withDefault } from '../command/flags.js';
import { formatMoment, toTable } from '../command/result-lines.js';

/** The data of an account, as `--json` shows it. */
function presentAccount({ id, name, tradingName, merchantId, currencies, ...more }: AdministeredAccount) {
  const { status, statusChange, locationId, createdAt, cardAttestationUntil } = more;
  return {
    ...{ id, name, tradingName, merchantId, currencies, status, statusChange },
    ...{ locationId, createdAt, cardAttestationUntil },
  };
}

const create = defineChange({
  path: 'account create',
  details: [
    'The account has both environments and no keys. The next steps are `terminal register` and `key create`.',
    'The merchant number names the account at the acquirer; no two accounts share it. An acquirer that gives the account another number has it in the setting `merchantIds`.',
  ],
  examples: [
    `account create --name oyster-shed --trading-name "The Oyster Shed" --merchant-id 526567001 --currencies GBP --site "2 Angel Lane, London" --time-zone Europe/London --reason "contract 4711"`,
  ],
  flags: {
    name: text('A name for operators.', 'name'),
    tradingName: text('The name that payers see.', 'name'),
    merchantId: text('The number of the merchant at the acquirer.', 'number'),
    currencies: withDefault(list('Currencies that a payment may be in, separated by commas.', 'codes'), 'GBP'),
    site: optional(text('The address at the head of receipts, and of the first location.', 'address')),
    phoneNumber: optional(text('The phone number at the head of receipts.', 'number')),
    'time-zone': optional(
      text('The time zone of the first location, such as `Europe/London`; UTC when left out.', 'zone'),
    ),
  },
  async run(session, { values, change }) {
    const { site, phoneNumber, 'time-zone': timeZone, ...request } = values;
    const created = await createAccount(await session.openDatabase(), change, {
      ...request,
      ...(site !== undefined && { site }),
      ...(phoneNumber !== undefined && { phoneNumber }),
      ...(timeZone !== undefined && { timeZone }),
    });
    return { data: presentAccount(created), lines: [`created ${created.id}, with location ${created.locationId}`] };
  },
});

const listAll = defineQuery({
  path: 'account list',
  examples: ['account list', 'account list --json'],
  flags: { disabled: toggle('Only disabled accounts.') },
  async run(session, { values }) {
    const all = await listAccounts(await session.openDatabase());
    const accounts = values.disabled ? all.filter(({ status }) => status === 'Disabled') : all;
    const rows = accounts.map((each) => [each.id, each.status, each.merchantId, each.tradingName]);
    return {
      data: accounts.map(presentAccount),
      lines: toTable(['ACCOUNT', 'STATUS', 'MERCHANT', 'TRADING NAME'], rows, 'there are no accounts'),
    };
  },
});

const show = defineQuery({
  path: 'account show',
  examples: ['account show --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const { found, locations, terminals, keys } = await session.read(values, async (reader) => ({
      found: await requireAccount(reader),
      locations: await listAccountLocations(reader),
      terminals: await listAdministeredTerminals(reader),
      keys: await listKeys(reader),
    }));
    const { statusChange, cardAttestationUntil } = found;
    return {
      data: { ...presentAccount(found), locations, terminals: terminals.map(({ terminal }) => terminal), keys },
      lines: [
        `${found.id} ${found.tradingName}, merchant ${found.merchantId}, currencies ${found.currencies.join(', ')}`,
        `status ${found.status}${statusChange === null ? '' : ` since ${formatMoment(statusChange.changedAt)}: ${statusChange.reason}`}`,
        `attestation (SAQ-D) until ${cardAttestationUntil === null ? 'none' : formatMoment(cardAttestationUntil)}`,
        `${values.environment}: ${locations.length} locations, ${terminals.length} terminals, ${keys.length} keys`,
      ],
    };
  },
});

const disable = defineChange({
  path: 'account disable',
  details: [
    'Payment links, setups of payers and payments with saved cards, which need no key, are refused within two seconds.',
    'Open streams and sockets of card machines and EPOSes end. Payments that run are finished by the service: it asks the acquirer, and records them at an EPOS that it can call.',
  ],
  examples: ['account disable --account acc_... --reason "contract ended"'],
  flags: { account: account() },
  async run(session, { values, change }) {
    const changed = await session.transact(values, (tx) => disableAccount(tx, change));
    return { data: presentAccount(changed), lines: [`disabled ${changed.id}`] };
  },
});

const enable = defineChange({
  path: 'account enable',
  examples: ['account enable --account acc_... --reason "invoice paid"'],
  flags: { account: account() },
  async run(session, { values, change }) {
    const changed = await session.transact(values, (tx) => enableAccount(tx, change));
    return { data: presentAccount(changed), lines: [`enabled ${changed.id}`] };
  },
});

export const ACCOUNT_COMMANDS: readonly CommandDefinition[] = [create, listAll, show, disable, enable];
