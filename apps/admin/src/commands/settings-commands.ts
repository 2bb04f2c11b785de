import { ACCOUNT_SETTING_FIELDS, findSettingField, type SettingForm } from '@pos/core/accounts';
import {
  type AccountSettingsView,
  changeAccountSettings,
  getAccountSettings,
  SERVICE_MANAGED_EPOS,
} from '@pos/payments/account-settings';
import {
  type CommandDefinition,
  type CommandResult,
  defineChange,
  defineQuery,
} from '../command/command-definition.js';
import { account, environment, parseTime, splitList, WrongUse } from '../command/flags.js';
import { alignColumns, formatValue } from '../command/result-lines.js';

const MEANINGS = Object.entries(ACCOUNT_SETTING_FIELDS).map(([name, field]) => `  ${name}: ${field.description}`);

const get = defineQuery({
  path: 'settings get',
  examples: ['settings get --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    return present(await session.read(values, getAccountSettings));
  },
});

const set = defineChange({
  path: 'settings set',
  details: [
    'Lists are separated by commas, numbers at several acquirers too, and `none` is no value. Processes go by a change within two seconds.',
    [
      'Settings:',
      ...MEANINGS,
      `  ${SERVICE_MANAGED_EPOS}: Capabilities of the integration that operators manage.`,
    ].join('\n'),
  ],
  examples: [
    'settings set payAtTable.asksWaiterId=true --account acc_... --reason "the restaurant asked for it"',
    'settings set acquirer.production=north merchantIds.production=north=M-1002 --account acc_... --reason "moves to north"',
    'settings set cardAttestationUntil=2027-06-30 --account acc_... --reason "SAQ-D seen, ticket 812"',
    'settings set branding.logoUrl=https://cdn.example/logo.svg currencies=GBP,EUR --account acc_... --reason "rebranding"',
  ],
  flags: { account: account(), environment: environment() },
  operand: { placeholder: 'name=value', brief: 'A setting and its new value.', isRepeated: true },
  async run(session, { values, operands, change }) {
    const requested = Object.fromEntries(operands.map(parseAssignment));
    return present(await session.transact(values, (tx) => changeAccountSettings(tx, change, requested)));
  },
});

function present({ values, unknown }: AccountSettingsView): CommandResult {
  const lines = alignColumns(Object.entries(values).map(([name, value]) => [name, formatSetting(name, value)]));
  const strange = unknown.map((name) => `${name} is stored and no setting of this release`);
  return { data: { settings: values, unknown }, lines: [...lines, ...strange] };
}

/** As `settings set` reads it. */
function formatSetting(name: string, value: unknown): string {
  if (findSettingField(name)?.form !== 'map' || typeof value !== 'object') return formatValue(value);
  return formatValue(Object.entries(value ?? {}).map(([key, inner]) => `${key}=${String(inner)}`));
}

function parseAssignment(operand: string): readonly [string, unknown] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(operand) ?? [];
  if (name === '') throw new WrongUse(`${operand} must be name=value`);
  return [name, parseValue(name, value)];
}

/** A text that is no value of the form stays a text, which the setting refuses by its name. */
function parseValue(name: string, value: string): unknown {
  const form = name === SERVICE_MANAGED_EPOS ? 'list' : findSettingField(name)?.form;
  if (form === 'list') return value === 'none' ? [] : splitList(value);
  if (form === 'map') return value === 'none' ? {} : parseMap(value);
  if (value === 'none') return null;
  return form === undefined ? value : PARSERS[form](value);
}

/** `north=M-1002,south=7` as an object; the text itself where a part is no pair, or a name is repeated. */
function parseMap(value: string): unknown {
  const pairs = splitList(value).map((part) => /^([^=]+)=(.+)$/s.exec(part));
  const names = new Set(pairs.map((pair) => pair?.[1]));
  if (pairs.includes(null) || names.size < pairs.length) return value;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim(), pair?.[2]?.trim()]));
}

const PARSERS: Readonly<Record<SettingForm, (value: string) => unknown>> = {
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  integer: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value),
  text: (value) => value,
  list: splitList,
  map: parseMap,
  date: (value) => parseTime(value) ?? value,
};

export const SETTINGS_COMMANDS: readonly CommandDefinition[] = [get, set];
