import type { FourEyesSettings } from '../administration/give-back-limits.js';
import { type BrandingSettings, NO_BRANDING } from '../branding/branding.js';
import type { WalletKind } from '../cards/card.js';
import { CARD_SCHEMES, type CardScheme, SCHEMES } from '../cards/schemes.js';
import type { AccountId, Environment, LocationId } from '../identity/identity.js';
import { Refusal } from '../refusals/refusal.js';
import { DAY_MS } from '../time/timespan.js';

/** The acquirer that the settings of the processes name without a name. */
export const DEFAULT_ACQUIRER = 'default';

/** A merchant: one restaurant, one legal counterpart of the acquirer. */
export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly tradingName: string;
  readonly locationId: LocationId;
  /** The number of this merchant at every acquirer for which the setting `merchantIds` has none. */
  readonly merchantId: string;
  /** Currencies a payment may be in. */
  readonly currencies: readonly string[];
  readonly settings: AccountSettings;
  readonly createdAt: Date;
  readonly status: AccountStatus;
  /** Until when its attestation (SAQ-D) lets its keys touch card numbers; null = it has none. */
  readonly cardAttestationUntil: Date | null;
}

/** What an account may decide for itself; each has the production value as default. */
export interface AccountSettings extends BrandingSettings {
  /** The acquirer of new payments, by the name that the operator has given it. */
  readonly acquirer: Readonly<Record<Environment, string>>;
  /** The number of the merchant at acquirers, by their names. `getMerchantId` reads it. */
  readonly merchantIds: Readonly<Record<Environment, Readonly<Record<string, string>>>>;
  readonly supportedPaymentMethods: {
    readonly cardSchemes: readonly CardScheme[];
    readonly wallets: readonly WalletKind[];
  };
  /** The origins of the integrator's pages that may embed the card fields: `https://shop.example`. */
  readonly embeddingOrigins: Readonly<Record<Environment, readonly string[]>>;
  /** Printed at the head of a receipt. */
  readonly phoneNumber: string | null;
  readonly site: string | null;
  /** How long after the authorisation an Authorized payment may be reversed. */
  readonly authorizedReversalWindowMs: number;
  /** On how many calendar days of the location (the day of the capture is the first) an Auto payment may be reversed; 0 = never. */
  readonly capturedReversalDays: number;
  /** Sandbox: the last two digits of an amount steer the outcome. */
  readonly hasAmountTriggers: boolean;
  /** Sandbox: the simulated EPOS connects for the account. False where a partner connects an EPOS of their own. */
  readonly hasSandboxEpos: boolean;
  /**
   * Whether `reference` and `metadata` may contain digits in one piece that look like a card number. For integrators
   * whose own numbers do.
   */
  readonly allowsBareCardNumbers: boolean;
  readonly rateLimitPerSecond: number | null;
  /** Users of the portal work in the account only after a second factor. */
  readonly requiresSecondFactor: boolean;
  /** Card machines refuse to refund a payment to another card than its own. */
  readonly refusesRefundsToOtherCards: boolean;
  readonly payAtTable: PayAtTableSettings;
  readonly fourEyes: FourEyesSettings;
}

export type EposTransport = 'auto' | 'tables-ws' | 'tables-grpc' | 'epos-data';

export interface PayAtTableSettings {
  readonly isEnabled: boolean;
  readonly asksWaiterId: boolean;
  readonly asksGratuity: boolean;
  readonly offersEmailReceipts: boolean;
  /** Whether attempts that took no money are also reported to the EPOS. */
  readonly reportUnsuccessful: boolean;
  readonly transport: EposTransport;
}

const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  acquirer: { sandbox: DEFAULT_ACQUIRER, production: DEFAULT_ACQUIRER },
  merchantIds: { sandbox: {}, production: {} },
  supportedPaymentMethods: {
    cardSchemes: CARD_SCHEMES.filter((scheme) => SCHEMES[scheme].isAcceptedByDefault),
    wallets: ['APPLE_PAY', 'GOOGLE_PAY'],
  },
  branding: NO_BRANDING,
  sandboxBranding: NO_BRANDING,
  embeddingOrigins: { sandbox: [], production: [] },
  phoneNumber: null,
  site: null,
  authorizedReversalWindowMs: 7 * DAY_MS,
  capturedReversalDays: 1,
  hasAmountTriggers: true,
  hasSandboxEpos: true,
  allowsBareCardNumbers: false,
  rateLimitPerSecond: null,
  requiresSecondFactor: false,
  refusesRefundsToOtherCards: false,
  payAtTable: {
    isEnabled: true,
    asksWaiterId: false,
    asksGratuity: true,
    offersEmailReceipts: true,
    reportUnsuccessful: false,
    transport: 'auto',
  },
  fourEyes: { giveBacksAbove: {}, hours: 24 },
};

/** The settings of an account. Only values that differ from the defaults of this release are stored. */
export function resolveAccountSettings(stored: StoredAccountSettings): AccountSettings {
  const { acquirer, merchantIds, supportedPaymentMethods, embeddingOrigins, payAtTable, fourEyes } =
    DEFAULT_ACCOUNT_SETTINGS;
  return {
    ...DEFAULT_ACCOUNT_SETTINGS,
    ...stored,
    acquirer: { ...acquirer, ...stored.acquirer },
    merchantIds: { ...merchantIds, ...stored.merchantIds },
    supportedPaymentMethods: { ...supportedPaymentMethods, ...stored.supportedPaymentMethods },
    branding: { ...NO_BRANDING, ...stored.branding },
    sandboxBranding: { ...NO_BRANDING, ...stored.sandboxBranding },
    embeddingOrigins: { ...embeddingOrigins, ...stored.embeddingOrigins },
    payAtTable: { ...payAtTable, ...stored.payAtTable },
    fourEyes: { ...fourEyes, ...stored.fourEyes },
  };
}

/** What the account decides about the members of a new intent. */
export function toIntentChecks({ currencies, settings }: Pick<Account, 'currencies' | 'settings'>): {
  readonly currencies: readonly string[];
  readonly allowsBareCardNumbers: boolean;
} {
  return { currencies, allowsBareCardNumbers: settings.allowsBareCardNumbers };
}

/** The settings as a row contains them: any of them, also within their groups. */
export type StoredAccountSettings = {
  readonly [K in keyof AccountSettings]?: AccountSettings[K] extends readonly unknown[]
    ? AccountSettings[K]
    : AccountSettings[K] extends object
      ? Partial<AccountSettings[K]>
      : AccountSettings[K];
};

/** A disabled account starts nothing that takes money, and its keys are refused; what runs is finished. */
export type AccountStatus = 'Active' | 'Disabled';

/**
 * Refuses `account_disabled` for a disabled account. Every start of a payment, of the setup of a card and of a session of
 * a card machine goes through it, mostly by `AccountCache.getEnabled`; operations that finish one do not.
 */
export function requireEnabledAccount({ status }: Pick<Account, 'status'>): void {
  if (status === 'Disabled') throw new Refusal('account_disabled', 'the merchant takes no payments now');
}
