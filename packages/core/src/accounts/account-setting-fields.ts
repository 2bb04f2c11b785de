import { BRAND_FONTS } from '../branding/branding.js';
import { WALLET_KINDS } from '../cards/card.js';
import { CARD_SCHEMES } from '../cards/schemes.js';
import type { Environment } from '../identity/identity.js';
import { isActiveCurrency } from '../money/currency.js';
import { Violations } from '../refusals/violations.js';
import { DAY_MS } from '../time/timespan.js';
import type { AccountSettings, StoredAccountSettings } from './account.js';
import { EMBEDDING_ORIGINS_MAX, isEmbeddingOrigin } from './embedding-origin.js';

/** The dotted names of the members of an object, one level deep: `branding.logoUrl`. */
type MemberPath<T> = {
  [K in keyof T & string]: T[K] extends string | number | boolean | readonly unknown[] | null
    ? K
    : `${K}.${keyof T[K] & string}`;
}[keyof T & string];

/** The name of a setting that is stored in `accounts.settings`. */
type StoredSettingName = MemberPath<AccountSettings>;

/** The settings of an account that have a column of their own. */
type ColumnSettingName = 'tradingName' | 'merchantId' | 'currencies' | 'cardAttestationUntil';

type AccountSettingName = StoredSettingName | ColumnSettingName;

const MERCHANT_ID_LENGTH_MAX = 64;

/** The form of a value: how a text becomes it, and what a reader of the documentation sees. */
export type SettingForm = 'boolean' | 'integer' | 'text' | 'list' | 'map' | 'date';

/** A setting of an account: its form, its meaning, and its rule. */
export interface SettingField {
  readonly form: SettingForm;
  readonly description: string;
  /** Whether null is a value: there is none. */
  readonly isNullable: boolean;
  /** What is wrong with the value, in the words after `must`; null for a good one. It is never null or undefined. */
  readonly findProblem: (value: unknown) => string | null;
}

/**
 * Every setting of an account. A new member of `AccountSettings` does not compile until it has a field here, so no
 * setting can be written that is not checked.
 */
export const ACCOUNT_SETTING_FIELDS = {
  tradingName: textField('The name that payers see.', 200),
  merchantId: textField(
    'Names the account at every acquirer for which `merchantIds` has no number.',
    MERCHANT_ID_LENGTH_MAX,
  ),
  currencies: listField(
    'Currencies that a payment may be in: active codes of ISO 4217 that have a minor unit.',
    isActiveCurrency,
    'active currency codes of ISO 4217',
  ),
  cardAttestationUntil: {
    form: 'date',
    description: 'The date until which keys may hold `setup.card`, after the attestation (SAQ-D) was seen.',
    isNullable: true,
    findProblem: (value) =>
      value instanceof Date && !Number.isNaN(value.getTime()) ? null : 'be a date such as 2027-01-31',
  },
  'acquirer.sandbox': acquirerField('The acquirer of new payments in the sandbox, by its name in `ACQUIRERS_FILE`.'),
  'acquirer.production': acquirerField('The acquirer of new payments in production, by its name in `ACQUIRERS_FILE`.'),
  'merchantIds.sandbox': merchantIdsField('sandboxes'),
  'merchantIds.production': merchantIdsField('production'),
  'supportedPaymentMethods.cardSchemes': choicesField('Card schemes that the payment page accepts.', CARD_SCHEMES),
  'supportedPaymentMethods.wallets': choicesField('Wallets that the payment page offers.', WALLET_KINDS),
  'branding.logoUrl': urlField('The logo on the payment page.'),
  'branding.faviconUrl': urlField('The icon of the payment page.'),
  'branding.accentColor': colorField('The colour of the button on the payment page, which keeps its texts readable.'),
  'branding.font': { ...choiceField('The font of the payment page.', BRAND_FONTS), isNullable: true },
  'sandboxBranding.logoUrl': urlField('The logo on the payment page in the sandbox; none: that of production.'),
  'sandboxBranding.faviconUrl': urlField('The icon of the payment page in the sandbox; none: that of production.'),
  'sandboxBranding.accentColor': colorField('The colour of the button in the sandbox; none: that of production.'),
  'sandboxBranding.font': {
    ...choiceField('The font of the payment page in the sandbox; none: that of production.', BRAND_FONTS),
    isNullable: true,
  },
  'embeddingOrigins.sandbox': originsField('sandbox'),
  'embeddingOrigins.production': originsField('production'),
  phoneNumber: { ...textField('The phone number at the head of a receipt.', 40), isNullable: true },
  site: { ...textField('The address at the head of a receipt.', 200), isNullable: true },
  authorizedReversalWindowMs: integerField(
    'For how long after its authorisation a payment may be reversed, in milliseconds.',
    { min: 0, max: 60 * DAY_MS },
  ),
  capturedReversalDays: integerField(
    'On how many calendar days of the location (the day of the capture is the first) a payment that is captured automatically may be reversed; 0: never.',
    { min: 0, max: 60 },
  ),
  hasAmountTriggers: booleanField('Sandbox: the last two digits of an amount decide the outcome.'),
  hasSandboxEpos: booleanField('Sandbox: the simulated EPOS connects for the account.'),
  allowsBareCardNumbers: booleanField(
    'Whether `reference`, `metadata` and the ids of `orderDetails` may hold digits in one piece that look like a card number.',
  ),
  rateLimitPerSecond: {
    ...integerField('Requests a second that a key may send; none: the rate of the service.', {
      min: 1,
      max: 1_000_000,
    }),
    isNullable: true,
  },
  requiresSecondFactor: booleanField(
    'Whether every user of the portal needs a second factor to work in the account; operators, and users whose role returns money in production, need one anyway.',
  ),
  refusesRefundsToOtherCards: booleanField(
    'Whether card machines must refuse to refund a payment to another card than its own; without it such a refund only raises an alarm.',
  ),
  'fourEyes.giveBacksAbove': limitsField(
    'From which amount on a second person must approve what a user of the portal gives back, in minor units by currency; `0`: always; no currency: never. Currencies that are not named always need one if any is named.',
  ),
  'fourEyes.hours': integerField('How long such a request waits for the second person, in hours.', {
    min: 1,
    max: 720,
  }),
  'payAtTable.isEnabled': booleanField('Whether devices may begin payments at tables.'),
  'payAtTable.asksWaiterId': booleanField('Whether a card machine must name its waiter.'),
  'payAtTable.asksGratuity': booleanField('Whether the device asks for a tip.'),
  'payAtTable.offersEmailReceipts': booleanField('Whether the device offers receipts by mail.'),
  'payAtTable.reportUnsuccessful': booleanField('Whether attempts that took no money are reported to the EPOS.'),
  'payAtTable.transport': choiceField('How the EPOS is reached.', ['auto', 'tables-ws', 'tables-grpc', 'epos-data']),
} as const satisfies Readonly<Record<AccountSettingName, SettingField>>;

/** Values of settings by their names, each of its form. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** Refuses unknown settings and values of another form: `validation_failed` with each named. */
export function requireSettingValues(values: Readonly<Record<string, unknown>>): SettingValues {
  const violations = new Violations();
  for (const [name, value] of Object.entries(values)) {
    const field = findSettingField(name);
    const problem = field === null ? 'is not a setting of an account' : findValueProblem(field, value);
    if (problem !== null) violations.add(name, problem);
  }
  violations.throwIfAny('the settings cannot be stored');
  return values;
}

const FIELDS: ReadonlyMap<string, SettingField> = new Map(Object.entries(ACCOUNT_SETTING_FIELDS));

/** The field of a name, or null for an unknown name. */
export function findSettingField(name: string): SettingField | null {
  return FIELDS.get(name) ?? null;
}

function findValueProblem({ isNullable, findProblem }: SettingField, value: unknown): string | null {
  if (value === null) return isNullable ? null : 'must have a value';
  const problem = value === undefined ? 'have a value' : findProblem(value);
  return problem === null ? null : `must ${problem}`;
}

/** The stored settings after a change; columns are not stored here. */
export function mergeStoredSettings(stored: StoredAccountSettings, values: SettingValues): StoredAccountSettings {
  const merged: Record<string, unknown> = { ...stored };
  for (const [name, value] of Object.entries(values)) {
    if (COLUMN_SETTINGS.includes(name)) continue;
    const [group = '', member] = name.split('.');
    const members = merged[group];
    merged[group] = member === undefined ? value : { ...(isGroup(members) && members), [member]: value };
  }
  return merged;
}

/** The values of the settings that have a column, as far as they are named. */
export interface ColumnSettings {
  readonly tradingName?: string;
  readonly merchantId?: string;
  readonly currencies?: readonly string[];
  readonly cardAttestationUntil?: Date | null;
}

/** The checked values of the settings that have a column. */
export function readColumnSettings(values: SettingValues): ColumnSettings {
  const { tradingName, merchantId, currencies, cardAttestationUntil } = values;
  return {
    ...(typeof tradingName === 'string' && { tradingName }),
    ...(typeof merchantId === 'string' && { merchantId }),
    ...(isTextList(currencies) && { currencies }),
    ...((cardAttestationUntil === null || cardAttestationUntil instanceof Date) && { cardAttestationUntil }),
  };
}

/** The value of every setting that the groups contain, by its dotted name. */
export function flattenSettings(settings: object): SettingValues {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([group, value]: [string, unknown]): [string, unknown][] =>
      isGroup(value)
        ? Object.entries(value).map(([member, inner]): [string, unknown] => [`${group}.${member}`, inner])
        : [[group, value]],
    ),
  );
}

/** Settings are grouped one level deep. */
function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const COLUMN_SETTINGS: readonly string[] = [
  'tradingName',
  'merchantId',
  'currencies',
  'cardAttestationUntil',
] satisfies readonly ColumnSettingName[];

function booleanField(description: string): SettingField {
  const findProblem = (value: unknown) => (typeof value === 'boolean' ? null : 'be true or false');
  return { form: 'boolean', description, isNullable: false, findProblem };
}

function integerField(description: string, { min, max }: { readonly min: number; readonly max: number }): SettingField {
  const findProblem = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
      ? null
      : `be a whole number from ${min} to ${max}`;
  return { form: 'integer', description, isNullable: false, findProblem };
}

function acquirerField(description: string): SettingField {
  const findProblem = (value: unknown) =>
    isAcquirerName(value) ? null : 'be the name of an acquirer such as default or north';
  return { form: 'text', description, isNullable: false, findProblem };
}

function isAcquirerName(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(value);
}

function merchantIdsField(where: string): SettingField {
  const findProblem = (value: unknown) =>
    isGroup(value) &&
    Object.entries(value).every(([name, number]) => isAcquirerName(name) && isLine(number, MERCHANT_ID_LENGTH_MAX))
      ? null
      : `be numbers of 1 to ${MERCHANT_ID_LENGTH_MAX} characters by the names of their acquirers, such as north=M-1002`;
  const description = `The number of the merchant at each acquirer of ${where} that has given it another one than \`merchantId\`.`;
  return { form: 'map', description, isNullable: false, findProblem };
}

function limitsField(description: string): SettingField {
  const findProblem = (value: unknown) =>
    isGroup(value) &&
    Object.entries(value).every(
      ([currency, amount]) => isActiveCurrency(currency) && typeof amount === 'string' && /^\d{1,12}$/.test(amount),
    )
      ? null
      : 'be amounts in minor units by active currency codes, such as GBP=10000';
  return { form: 'map', description, isNullable: false, findProblem };
}

function originsField(environment: Environment): SettingField {
  const findProblem = (value: unknown) =>
    isTextList(value) &&
    value.length <= EMBEDDING_ORIGINS_MAX &&
    value.every((each) => isEmbeddingOrigin(each, environment)) &&
    new Set(value).size === value.length
      ? null
      : `be a list without repetition of at most ${EMBEDDING_ORIGINS_MAX} origins such as https://shop.example`;
  const loopback = environment === 'sandbox' ? ' Pages on loopback may use http.' : '';
  const description = `Origins of the pages that may embed the card fields in ${environment}.${loopback} Without one no page may.`;
  return { form: 'list', description, isNullable: false, findProblem };
}

function textField(description: string, lengthMax: number): SettingField {
  const findProblem = (value: unknown) =>
    isLine(value, lengthMax) ? null : `be 1 to ${lengthMax} characters of one line, without spaces around them`;
  return { form: 'text', description, isNullable: false, findProblem };
}

function isLine(value: unknown, lengthMax: number): boolean {
  return (
    typeof value === 'string' &&
    value.trim() === value &&
    value !== '' &&
    value.length <= lengthMax &&
    !CONTROL.test(value)
  );
}

const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

function urlField(description: string): SettingField {
  const findProblem = (value: unknown) =>
    typeof value === 'string' && value.length <= 2_000 && HTTPS_URL.test(value) ? null : 'be an https address';
  return { form: 'text', description: `${description} An https address.`, isNullable: true, findProblem };
}

const HTTPS_URL = /^https:\/\/[^\s/@?#]+([/?#][^\s]*)?$/;

function colorField(description: string): SettingField {
  const findProblem = (value: unknown) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? null : 'be a colour such as #0b57d0';
  return { form: 'text', description, isNullable: true, findProblem };
}

function choiceField(description: string, choices: readonly string[]): SettingField {
  const findProblem = (value: unknown) =>
    typeof value === 'string' && choices.includes(value) ? null : `be one of ${choices.join(', ')}`;
  return { form: 'text', description: `${description} One of ${choices.join(', ')}.`, isNullable: false, findProblem };
}

function choicesField(description: string, choices: readonly string[]): SettingField {
  return listField(
    `${description} Some of ${choices.join(', ')}.`,
    (each) => choices.includes(each),
    choices.join(', '),
  );
}

function listField(description: string, isGood: (each: string) => boolean, ofWhat: string): SettingField {
  const findProblem = (value: unknown) =>
    isTextList(value) && value.length > 0 && value.every(isGood) && new Set(value).size === value.length
      ? null
      : `be a list without repetition of ${ofWhat}`;
  return { form: 'list', description, isNullable: false, findProblem };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
