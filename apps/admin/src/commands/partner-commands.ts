import { toggle } from '@pos/command-line';
import { formatPartnerReport, type Partner, PARTNER_KINDS, type PartnerName } from '@pos/core/accounts';
import { formatAmount } from '@pos/core/money';
import {
  adoptPartners,
  changePartner,
  changePartnerStatus,
  enforcePartners,
  findUnregisteredPartners,
  listPartners,
  registerPartner,
  REPORT_DAYS_MAX,
  reportPartners,
  type UnregisteredPartners,
  USED_DAYS_MAX,
} from '@pos/administration/partners';
import { createViolation } from '@pos/core/refusals';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { choice, environment, optional, text, time, wholeNumber, withDefault } from '../command/flags.js';
import { formatMoment, toTable } from '../command/result-lines.js';

const kind = () => choice('What the partner is.', PARTNER_KINDS);
const id = () => text('The id, as requests send it in the header.', 'id');
const days = () =>
  withDefault(
    wholeNumber('How many of the last days are searched.', { min: 1, max: USED_DAYS_MAX }),
    String(USED_DAYS_MAX),
  );
const EXAMPLE = '--kind software-house --id "Till Makers"';

const register = defineChange({
  path: 'partner register',
  details: [
    'The header of a software house is `software-house-id`, that of a reseller `reseller-id`. A partner serves all accounts; sandbox requests may name any.',
    'The contact is stored with the partner, and not in the audit log.',
  ],
  examples: [
    `partner register ${EXAMPLE} --name "Till Makers Ltd" --contact "+44 20 7946 0000" --reason "contract 4712"`,
  ],
  flags: {
    kind: kind(),
    id: id(),
    name: text('The name for operators.', 'name'),
    contact: optional(text('Whom to ask, such as a phone number.', 'text')),
  },
  async run(session, { values, change }) {
    const { contact = null, ...partner } = values;
    const registered = await registerPartner(await session.openDatabase(), change, { ...partner, contact });
    return { data: registered, lines: [`registered ${describe(registered)}`] };
  },
});

const update = defineChange({
  path: 'partner update',
  examples: [`partner update ${EXAMPLE} --contact "service@tills.example" --reason "ticket 31"`],
  flags: {
    kind: kind(),
    id: id(),
    name: optional(text('The name for operators.', 'name')),
    contact: optional(text('Whom to ask; an empty text removes it.', 'text')),
  },
  async run(session, { values, change }) {
    const changed = await changePartner(await session.openDatabase(), change, values);
    return { data: changed, lines: [`changed ${describe(changed)}`] };
  },
});

const listAll = defineQuery({
  path: 'partner list',
  examples: ['partner list', 'partner list --json'],
  flags: {},
  async run(session) {
    const { isEnforced, partners } = await listPartners(await session.openDatabase());
    const rows = partners.map((each) => [each.kind, each.id, each.status, each.name]);
    return {
      data: { isEnforced, partners },
      lines: [
        ...toTable(['KIND', 'ID', 'STATUS', 'NAME'], rows, 'there are no partners'),
        isEnforced
          ? 'production requests that name another partner are refused'
          : 'production requests may name any partner: see `partner enforce`',
      ],
    };
  },
});

const show = defineQuery({
  path: 'partner show',
  examples: [`partner show ${EXAMPLE}`],
  flags: { kind: kind(), id: id() },
  async run(session, { values }) {
    const { partners } = await listPartners(await session.openDatabase());
    const found = partners.find((each) => each.kind === values.kind && each.id === values.id);
    if (found === undefined) throw createViolation('validation_failed', 'id', 'is not registered');
    return {
      data: found,
      lines: [
        `${describe(found)}: ${found.name}, ${found.status}`,
        `contact ${found.contact ?? 'none'}`,
        `registered ${formatMoment(found.createdAt)}, changed ${formatMoment(found.updatedAt)}`,
      ],
    };
  },
});

const retire = defineChange({
  path: 'partner retire',
  details: [
    'Requests and calls that begin something, and new connections of an EPOS, are refused with `partner_not_registered`. Payments that exist are read, cancelled, captured and returned as before, repeats of earlier requests are answered, and open connections stay open.',
  ],
  examples: [`partner retire ${EXAMPLE} --reason "contract ended"`],
  flags: { kind: kind(), id: id() },
  async run(session, { values, change }) {
    const request = { kind: values.kind, id: values.id, status: 'Retired' } as const;
    const changed = await changePartnerStatus(await session.openDatabase(), change, request);
    return { data: changed, lines: [`retired ${describe(changed)}`] };
  },
});

const reactivate = defineChange({
  path: 'partner reactivate',
  examples: [`partner reactivate ${EXAMPLE} --reason "new contract"`],
  flags: { kind: kind(), id: id() },
  async run(session, { values, change }) {
    const request = { kind: values.kind, id: values.id, status: 'Active' } as const;
    const changed = await changePartnerStatus(await session.openDatabase(), change, request);
    return { data: changed, lines: [`reactivated ${describe(changed)}`] };
  },
});

const unregistered = defineQuery({
  path: 'partner unregistered',
  details: [
    'Payments and the calls that move their money store the partners of their requests. Connections and requests that only read store none: the log line `partner.not_registered` names those while partners are not enforced.',
  ],
  examples: ['partner unregistered', 'partner unregistered --days 7'],
  flags: { days: days() },
  async run(session, { values }) {
    const found = await findUnregisteredPartners(await session.openDatabase({ isLong: true }), values.days);
    return { data: found, lines: listFound(found, 'every partner of the traffic is registered') };
  },
});

const adopt = defineChange({
  path: 'partner adopt',
  details: ['Each gets its id as its name: see `partner update`. Look at `partner unregistered` first.'],
  examples: ['partner adopt --reason "update to this release"'],
  flags: { days: days() },
  async run(session, { values, change }) {
    const found = await adoptPartners(await session.openDatabase({ isLong: true }), change, values.days);
    return { data: found, lines: listFound(found, 'there is nothing to register') };
  },
});

const enforce = defineChange({
  path: 'partner enforce',
  details: [
    'A new database enforces partners. A database that is older than the registry does not, until this command is run, so that an update refuses no request.',
    'Refuses to switch on while payments of the last 31 days name partners that are not registered.',
  ],
  examples: ['partner enforce --reason "all are registered"', 'partner enforce --off --reason "incident 12"'],
  flags: {
    off: toggle('Accepts any partner again.'),
    force: toggle('Switches on although recent payments name partners that are not registered.'),
  },
  async run(session, { values, change }) {
    const request = { isEnforced: !values.off, isForced: values.force };
    await enforcePartners(await session.openDatabase({ isLong: true }), change, request);
    const line = values.off
      ? 'production requests may name any partner'
      : 'production requests that name a partner which is not registered are refused';
    return { data: { isEnforced: !values.off }, lines: [line] };
  },
});

const report = defineQuery({
  path: 'partner report',
  details: [
    `Sales and captures that stand, and refunds, of at most ${REPORT_DAYS_MAX} days, with tips and cashback. A request without partners counts for those of the request that created its payment. Every amount counts once for its software house and once for its reseller.`,
    'Amounts of `--csv` are in major units; those of `--json` in minor units.',
  ],
  examples: [
    'partner report --from 2027-01-01 --to 2027-02-01',
    'partner report --from 2027-01-01 --to 2027-02-01 --kind reseller --csv',
  ],
  flags: {
    from: time('Transactions from this time on.'),
    to: time('Transactions before this time.'),
    kind: optional(choice('Only partners of this kind.', PARTNER_KINDS)),
    id: optional(text('Only the partner with this id.', 'id')),
    environment: environment(),
    csv: toggle('Writes CSV.'),
  },
  async run(session, { values }) {
    const { csv, id: partnerId, ...request } = values;
    const found = await reportPartners(await session.openDatabase({ isLong: true }), { ...request, partnerId });
    const rows = found.map((line) => [
      ...[line.kind, line.partnerId ?? 'none', line.name ?? '', line.taken.currencyCode, String(line.paymentCount)],
      ...[line.taken, line.returned, line.net].map(formatAmount),
    ]);
    const headings = ['KIND', 'ID', 'NAME', 'CURRENCY', 'PAYMENTS', 'TAKEN', 'RETURNED', 'NET'];
    return {
      data: found,
      lines: csv
        ? formatPartnerReport(found).trimEnd().split('\r\n')
        : toTable(headings, rows, 'there are no transactions'),
    };
  },
});

function listFound({ partners, unusable }: UnregisteredPartners, whenEmpty: string): string[] {
  const rows = partners.map((each) => [each.kind, each.id]);
  return [
    ...toTable(['KIND', 'ID'], rows, whenEmpty),
    ...unusable.map((each) => `${describe(each)} cannot be registered`),
  ];
}

function describe({ kind: kindOf, id: idOf }: PartnerName | Partner): string {
  return `${kindOf} ${idOf}`;
}

export const PARTNER_COMMANDS: readonly CommandDefinition[] = [
  register,
  update,
  listAll,
  show,
  retire,
  reactivate,
  unregistered,
  adopt,
  enforce,
  report,
];
