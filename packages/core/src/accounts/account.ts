import type { CardScheme, WalletKind } from '../cards/card.js';
import type { AccountId, LocationId } from '../identity/identity.js';
import { DAY_MS } from '../time/timespan.js';

/** A merchant: one restaurant, one legal counterpart of the acquirer. */
export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly tradingName: string;
  readonly locationId: LocationId;
  /** The acquirer's number for this merchant. */
  readonly merchantId: string;
  /** Currencies a payment may be in. */
  readonly currencies: readonly string[];
  readonly settings: AccountSettings;
  readonly createdAt: Date;
  /** Until when its attestation (SAQ-D) lets its keys touch card numbers; null = it has none. */
  readonly cardAttestationUntil: Date | null;
}

/** What an account may decide for itself; each has the production value as default. */
export interface AccountSettings {
  readonly supportedPaymentMethods: {
    readonly cardSchemes: readonly CardScheme[];
    readonly wallets: readonly WalletKind[];
  };
  readonly branding: { readonly logoUrl: string | null; readonly faviconUrl: string | null };
  /** Printed at the head of a receipt. */
  readonly phoneNumber: string | null;
  readonly site: string | null;
  /** How long after the authorisation an Authorized payment may be reversed. */
  readonly authorizedReversalWindowMs: number;
  /** On how many calendar days (UTC, the day of the capture is the first) an Auto payment may be reversed; 0 = never. */
  readonly capturedReversalDays: number;
  /** Sandbox: the last two digits of an amount steer the outcome. */
  readonly hasAmountTriggers: boolean;
  /** Sandbox: the simulated EPOS connects for the account. False where a partner connects an EPOS of their own. */
  readonly hasSandboxEpos: boolean;
  readonly rateLimitPerSecond: number | null;
  readonly payAtTable: PayAtTableSettings;
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
  supportedPaymentMethods: {
    cardSchemes: ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX'],
    wallets: ['APPLE_PAY', 'GOOGLE_PAY'],
  },
  branding: { logoUrl: null, faviconUrl: null },
  phoneNumber: null,
  site: null,
  authorizedReversalWindowMs: 7 * DAY_MS,
  capturedReversalDays: 1,
  hasAmountTriggers: true,
  hasSandboxEpos: true,
  rateLimitPerSecond: null,
  payAtTable: {
    isEnabled: true,
    asksWaiterId: false,
    asksGratuity: true,
    offersEmailReceipts: true,
    reportUnsuccessful: false,
    transport: 'auto',
  },
};

/** The settings of an account. Only values that differ from the defaults of this release are stored. */
export function resolveAccountSettings(
  stored: Partial<Omit<AccountSettings, 'payAtTable'>> & { readonly payAtTable?: Partial<PayAtTableSettings> },
): AccountSettings {
  return {
    ...DEFAULT_ACCOUNT_SETTINGS,
    ...stored,
    payAtTable: { ...DEFAULT_ACCOUNT_SETTINGS.payAtTable, ...stored.payAtTable },
  };
}
