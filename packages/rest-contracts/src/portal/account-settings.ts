import { EMBEDDING_ORIGINS_MAX } from '@pos/core/accounts';
import { CARD_SCHEMES, WALLET_KINDS } from '@pos/core/cards';
import { z } from 'zod';
import { BrandingMembers } from '../accounts/branding.js';
import type { Operation } from '../operation/operation.js';
import { freeText } from '../shapes/free-text.js';
import { text } from '../shapes/shapes.js';

const ORIGIN_LENGTH_MAX = 200;

const origins = z.array(text({ max: ORIGIN_LENGTH_MAX })).max(EMBEDDING_ORIGINS_MAX);
const EmbeddingOrigins = z.object({
  sandbox: origins.optional().describe('In a sandbox only.'),
  production: origins.optional().describe('In production only.'),
});
const SupportedPaymentMethods = z.object({
  cardSchemes: z.array(z.enum(CARD_SCHEMES)).max(CARD_SCHEMES.length).describe('Card schemes that the page accepts.'),
  wallets: z.array(z.enum(WALLET_KINDS)).max(WALLET_KINDS.length).describe('Wallets that the page offers.'),
});
const PayAtTable = z.object({
  asksWaiterId: z.boolean().describe('A card machine must name its waiter.'),
  asksGratuity: z.boolean().describe('The card machine asks for a tip.'),
  offersEmailReceipts: z.boolean().describe('The card machine offers receipts by mail.'),
  reportUnsuccessful: z.boolean().describe('Attempts that took no money are reported to the EPOS.'),
});

/** What an administrator of an account may change. The names are those of the settings, so violations name members. */
const SETTINGS = {
  branding: BrandingMembers.describe('The look that payers of the environment see.'),
  embeddingOrigins: EmbeddingOrigins.describe('Origins of the pages that may embed the card fields.'),
  supportedPaymentMethods: SupportedPaymentMethods,
  phoneNumber: freeText({ max: 40 }).nullable().describe('The phone number at the head of receipts; null: none.'),
  site: freeText({ max: 200 }).nullable().describe('The address at the head of receipts; null: none.'),
  payAtTable: PayAtTable,
  hasAmountTriggers: z.boolean().describe('Sandbox: the last two digits of an amount decide the outcome.'),
  hasSandboxEpos: z.boolean().describe('Sandbox: the simulated EPOS connects for the account.'),
  requiresSecondFactor: z.boolean().describe('Every user needs a second factor to work in the account.'),
};

const PortalAccountSettings = z
  .object({
    ...SETTINGS,
    tradingName: z.string().describe('The name that payers see. Operators change it.'),
    canChangeShared: z.boolean().describe('Whether the user may change settings that production uses too.'),
  })
  .meta({
    id: 'PortalAccountSettings',
    examples: [
      {
        branding: { logoUrl: 'https://cdn.example/logo.svg', faviconUrl: null, accentColor: '#0b57d0', font: 'serif' },
        embeddingOrigins: { sandbox: ['https://shop.example'] },
        supportedPaymentMethods: { cardSchemes: ['VISA', 'MASTERCARD'], wallets: ['APPLE_PAY'] },
        phoneNumber: '+44 20 7946 0000',
        site: '1 High Street, London',
        payAtTable: { asksWaiterId: false, asksGratuity: true, offersEmailReceipts: true, reportUnsuccessful: false },
        requiresSecondFactor: false,
        ...{ hasAmountTriggers: true, hasSandboxEpos: true, tradingName: 'The Corner Table', canChangeShared: true },
      },
    ],
  });
export type PortalAccountSettings = z.output<typeof PortalAccountSettings>;

const PortalSettingChange = z
  .object({
    ...SETTINGS,
    branding: BrandingMembers.partial(),
    supportedPaymentMethods: SupportedPaymentMethods.partial(),
    payAtTable: PayAtTable.partial(),
  })
  .partial()
  .meta({ id: 'PortalSettingChange', examples: [{ branding: { accentColor: '#0b57d0' } }] });

const shared = {
  tag: 'Portal',
  permission: null,
  version: 'none',
  idempotency: 'none',
  path: '/portal/account-settings',
  returns: PortalAccountSettings,
} as const;
const REFUSALS = [
  'portal_session_missing',
  'password_change_needed',
  'cross_site_request',
  'account_not_chosen',
  'second_factor_missing',
  'permission_missing',
] as const;

export const readPortalAccountSettings = {
  ...shared,
  id: 'readPortalAccountSettings',
  method: 'GET',
  summary: 'Read the settings that an administrator of the account may change',
  refusals: REFUSALS,
} as const satisfies Operation;

export const changePortalAccountSettings = {
  ...shared,
  id: 'changePortalAccountSettings',
  method: 'PATCH',
  summary: 'Change settings of the account, and no others',
  description: 'Needs the password within the last five minutes. Processes use the new values within two seconds.',
  body: PortalSettingChange,
  refusals: [...REFUSALS, 'reauthentication_needed', 'account_disabled', 'validation_failed'],
} as const satisfies Operation;
