import { isTimeZone } from '@pos/core/time';
import { NAMED_PERMISSIONS, PERMISSIONS, ROLE_NAMES } from '@pos/core/identity';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { CurrencyCode, Moment, text } from '../shapes/shapes.js';
import {
  ADMINISTRATION,
  CHANGE_REFUSALS,
  EXAMPLE_TARGET,
  OPERATOR_REFUSALS,
  REASON,
  TARGET,
} from './administration-shapes.js';

const TimeZone = text({ min: 1, max: 100 })
  .refine(isTimeZone, { error: 'Must be UTC or a zone such as Europe/London.' })
  .meta({ examples: ['Europe/London'] });

const ACCOUNT = {
  id: z.string().describe('The account (`acc_…`).'),
  name: z.string().describe('The name for operators.'),
  tradingName: z.string().describe('The name for payers.'),
  merchantId: z.string().describe('The number of the merchant at the acquirer.'),
  currencies: z.array(z.string()).describe('Currencies that a payment may be in.'),
  status: z.enum(['Active', 'Disabled']).describe('A disabled account is refused by every port.'),
  statusReason: z.string().optional().describe('Why the status was changed last.'),
  statusChangedAt: Moment.optional().describe('When the status was changed last.'),
  createdAt: Moment.describe('When it was created.'),
};
const EXAMPLE = {
  id: EXAMPLE_TARGET.account,
  name: 'corner-table',
  tradingName: 'The Corner Table',
  merchantId: '526567001',
  currencies: ['GBP'],
  status: 'Active',
  createdAt: '2026-03-01T12:00:00.000Z',
} as const;

export const AdministeredAccount = z.object(ACCOUNT).meta({ id: 'AdministeredAccount', examples: [EXAMPLE] });
export type AdministeredAccount = z.output<typeof AdministeredAccount>;

export const listAdministeredAccounts = {
  ...ADMINISTRATION,
  id: 'listAdministeredAccounts',
  method: 'GET',
  path: '/portal/administration/accounts',
  summary: 'List all accounts, in the order of their names',
  returns: z.array(AdministeredAccount).meta({ id: 'AdministeredAccounts', examples: [[EXAMPLE]] }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const createAdministeredAccount = {
  ...ADMINISTRATION,
  id: 'createAdministeredAccount',
  method: 'POST',
  path: '/portal/administration/accounts',
  summary: 'Create an account with its first location',
  description: 'It has both environments and no keys.',
  body: z
    .object({
      name: freeText({ min: 1, max: 200 }).describe('The name for operators.'),
      tradingName: freeText({ min: 1, max: 200 }).describe('The name for payers.'),
      merchantId: text({ min: 1, max: 64 }).describe('The number of the merchant at the acquirer.'),
      currencies: z.array(CurrencyCode).min(1).max(20).describe('Currencies that a payment may be in.'),
      site: freeText({ min: 1, max: 200 }).optional().describe('The address at the head of receipts.'),
      phoneNumber: freeText({ min: 1, max: 40 }).optional().describe('The phone number at the head of receipts.'),
      timeZone: TimeZone.optional().describe('The time zone of its first location; `UTC` when not sent.'),
      ...REASON,
    })
    .meta({
      id: 'NewAdministeredAccount',
      examples: [
        {
          name: 'corner-table',
          tradingName: 'The Corner Table',
          merchantId: '526567001',
          currencies: ['GBP'],
          reason: 'contract 4711',
        },
      ],
    }),
  returns: AdministeredAccount,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const changeAdministeredAccountStatus = {
  ...ADMINISTRATION,
  id: 'changeAdministeredAccountStatus',
  method: 'POST',
  path: '/portal/administration/accounts/status',
  summary: 'Disable an account, or enable it again',
  description: 'All keys of a disabled account are refused within a second. Payments that run are finished.',
  body: z
    .object({ account: TARGET.account, status: z.enum(['Active', 'Disabled']).describe('The new status.'), ...REASON })
    .meta({
      id: 'AdministeredAccountStatus',
      examples: [{ account: EXAMPLE_TARGET.account, status: 'Disabled', reason: 'contract ended' }],
    }),
  returns: AdministeredAccount,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

const AdministeredKey = z.object({
  id: z.string().describe('Id of the record (`key_…`), not the key itself.'),
  label: z.string().describe('Its name.'),
  permissions: z.array(z.enum(PERMISSIONS)).describe('What it may do: those of its role, and what was named beside.'),
  strict: z.boolean().describe('Whether its requests that move money are refused for an unknown member.'),
  prefix: z.string().describe('The first characters of its text.'),
  last4: z.string().describe('The last four characters of its text.'),
  createdAt: Moment.describe('When it was created.'),
  lastUsedAt: Moment.optional().describe('To the minute; absent when it was never used.'),
});
const AdministeredLocation = z.object({
  id: z.string().describe('The location (`loc_…`).'),
  name: z.string().describe('The name for operators.'),
  address: z.string().optional().describe('The postal address.'),
  phoneNumber: z.string().optional().describe('The phone number.'),
  timeZone: z.string().describe('The time zone of its receipts and days, such as `Europe/London`.'),
});
const EXAMPLE_LOCATION = {
  id: 'loc_Qk1v5r0bT4a2S7n8Lw3XyA',
  name: 'Harbour terrace',
  timeZone: 'Europe/London',
} satisfies z.input<typeof AdministeredLocation>;
const EXAMPLE_KEY = {
  id: 'key_AaH8KwlxavakGwZZljrhYw',
  label: 'web shop',
  permissions: ['webhooks.read', 'webhooks.write'],
  strict: true,
  prefix: 'sk_production_',
  last4: 'sMwI',
  createdAt: '2026-03-01T12:00:00.000Z',
} satisfies z.input<typeof AdministeredKey>;

export const readAdministeredAccount = {
  ...ADMINISTRATION,
  id: 'readAdministeredAccount',
  method: 'GET',
  path: '/portal/administration/account',
  summary: 'Read an account with its locations and keys',
  query: z.object(TARGET),
  returns: z
    .object({
      account: AdministeredAccount,
      keys: z.array(AdministeredKey).describe('The valid keys of the environment, newest first.'),
      locations: z.array(AdministeredLocation).describe('The locations of the environment, oldest first.'),
      terminalCount: z.int().min(0).describe('How many terminals the environment has.'),
    })
    .meta({
      id: 'AdministeredAccountDetails',
      examples: [{ account: EXAMPLE, keys: [EXAMPLE_KEY], locations: [], terminalCount: 0 }],
    }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const createAdministeredKey = {
  ...ADMINISTRATION,
  id: 'createAdministeredKey',
  method: 'POST',
  path: '/portal/administration/keys',
  summary: 'Create an API key of an account, the first one included',
  body: z
    .object({
      ...TARGET,
      label: freeText({ min: 1, max: 100 }).describe('The name of the key.'),
      role: z.enum(ROLE_NAMES).describe('What the key may do.'),
      grants: z
        .array(z.enum(NAMED_PERMISSIONS))
        .max(NAMED_PERMISSIONS.length)
        .optional()
        .describe('Permissions beside those of the role, which no role has.'),
      ...REASON,
    })
    .meta({
      id: 'NewAdministeredKey',
      examples: [{ ...EXAMPLE_TARGET, label: 'web shop', role: 'full', reason: 'contract 4711' }],
    }),
  returns: AdministeredKey.extend({
    text: z.string().describe('The text of the key. Only this answer contains it.'),
  }).meta({
    id: 'CreatedAdministeredKey',
    examples: [{ ...EXAMPLE_KEY, text: 'sk_production_mVx8nq2Yb0hQ4kS1tR7uW5zA3cE6gJ9lPdFiKoNsMwI' }],
  }),
  refusals: [...CHANGE_REFUSALS, 'attestation_missing', 'api_keys_exhausted'],
} as const satisfies Operation;

export const changeAdministeredKey = {
  ...ADMINISTRATION,
  id: 'changeAdministeredKey',
  method: 'POST',
  path: '/portal/administration/keys/change',
  summary: 'Make an API key strict, or lenient: every process applies it within a second',
  body: z
    .object({
      ...TARGET,
      key: text({ min: 1, max: 100 }).describe('The key (`key_…`).'),
      strict: z.boolean().describe('Whether its requests that move money are refused for an unknown member.'),
      ...REASON,
    })
    .meta({
      id: 'AdministeredKeyChange',
      examples: [{ ...EXAMPLE_TARGET, key: EXAMPLE_KEY.id, strict: true, reason: 'the program is corrected' }],
    }),
  returns: AdministeredKey.meta({ id: 'ChangedAdministeredKey', examples: [EXAMPLE_KEY] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const revokeAdministeredKey = {
  ...ADMINISTRATION,
  id: 'revokeAdministeredKey',
  method: 'POST',
  path: '/portal/administration/keys/revoke',
  summary: 'Revoke an API key: every process refuses it within a second',
  body: z.object({ ...TARGET, key: text({ min: 1, max: 100 }).describe('The key (`key_…`).'), ...REASON }).meta({
    id: 'AdministeredKeyRevocation',
    examples: [{ ...EXAMPLE_TARGET, key: EXAMPLE_KEY.id, reason: 'it was in a public repository' }],
  }),
  returns: null,
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;

export const changeAdministeredLocation = {
  ...ADMINISTRATION,
  id: 'changeAdministeredLocation',
  method: 'POST',
  path: '/portal/administration/locations/change',
  summary: 'Change the time zone of a location',
  description: 'Receipts, days of settlement and calendar days go by it from then on.',
  body: z
    .object({
      ...TARGET,
      location: text({ min: 1, max: 100 }).describe('The location (`loc_…`).'),
      timeZone: TimeZone.describe('`UTC`, or a name of the IANA database.'),
      ...REASON,
    })
    .meta({
      id: 'AdministeredLocationChange',
      examples: [
        { ...EXAMPLE_TARGET, location: EXAMPLE_LOCATION.id, timeZone: 'Europe/London', reason: 'receipts said UTC' },
      ],
    }),
  returns: AdministeredLocation.meta({ id: 'ChangedAdministeredLocation', examples: [EXAMPLE_LOCATION] }),
  refusals: CHANGE_REFUSALS,
} as const satisfies Operation;
