import { requireEnabledAccount, type SettingValues } from '@pos/core/accounts';
import type { AuditedChange } from '@pos/core/administration';
import { BRANDING_SETTINGS } from '@pos/core/branding';
import type { Environment } from '@pos/core/identity';
import { Refusal, Violations } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { changeAccountSettings } from '@pos/payments/account-settings';
import { requireLockedAccount } from '@pos/payments/audit';

/** Used in both environments, so that a user of the sandbox alone may not change them. */
const SHARED_SETTINGS: readonly string[] = [
  'supportedPaymentMethods.cardSchemes',
  'supportedPaymentMethods.wallets',
  'phoneNumber',
  'site',
  'requiresSecondFactor',
  'payAtTable.asksWaiterId',
  'payAtTable.asksGratuity',
  'payAtTable.offersEmailReceipts',
  'payAtTable.reportUnsuccessful',
];

/** The look of the environment in which the user works; each environment has a setting for it. */
const LOOK: readonly string[] = ['branding.logoUrl', 'branding.faviconUrl', 'branding.accentColor', 'branding.font'];

const ENVIRONMENT_SETTINGS: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: [...LOOK, 'embeddingOrigins.sandbox', 'hasAmountTriggers', 'hasSandboxEpos'],
  production: [...LOOK, 'embeddingOrigins.production'],
};

/** A change by an administrator of the account. */
export interface OwnSettingChange extends AuditedChange {
  /** Whether they are one in production too. */
  readonly canChangeShared: boolean;
}

/**
 * Changes settings as an administrator of the account may: neither who acquires the payments, nor under which name and
 * number, nor how long they can be reversed. Refuses a disabled account.
 */
export async function changeOwnAccountSettings(
  tx: Tx,
  { canChangeShared, ...change }: OwnSettingChange,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  requireEnabledAccount(await requireLockedAccount(tx));
  const { environment } = tx.scope;
  const violations = new Violations();
  for (const name of Object.keys(values)) {
    const isShared = SHARED_SETTINGS.includes(name);
    if (!isShared && !ENVIRONMENT_SETTINGS[environment].includes(name))
      violations.add(name, `cannot be changed in ${environment}`);
    if (isShared && !canChangeShared)
      throw new Refusal('permission_missing', 'Production uses this too, so it needs the role admin there.');
  }
  violations.throwIfAny('the settings cannot be changed');
  if (Object.keys(values).length > 0) await changeAccountSettings(tx, change, renameLook(values, environment));
}

/** The values by the names of their settings: the look of a sandbox is a setting of its own. */
function renameLook(values: SettingValues, environment: Environment): SettingValues {
  const setting = BRANDING_SETTINGS[environment];
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      LOOK.includes(name) ? name.replace('branding', setting) : name,
      value,
    ]),
  );
}
