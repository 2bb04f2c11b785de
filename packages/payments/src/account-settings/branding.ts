import { requireEnabledAccount, resolveAccountSettings } from '@pos/core/accounts';
import type { AuditedChange } from '@pos/core/administration';
import { type Branding, BRANDING_SETTINGS, resolveBranding } from '@pos/core/branding';
import type { Reader, Tx } from '@pos/store/database';
import { changeAccountSettings } from './account-settings.js';
import { requireAccount, requireLockedAccount } from '../audit/audited-change.js';

/** The look that payers of the scope see. */
export async function getBranding(reader: Reader): Promise<Branding> {
  const { settings } = await requireAccount(reader);
  return resolveBranding(settings, reader.scope.environment);
}

/**
 * Changes members of the look of the scope, and no others. A change of the sandbox leaves production as it is. Refuses
 * a disabled account. A request that changes nothing leaves no entry in the audit log.
 */
export async function changeBranding(
  tx: Tx,
  change: AuditedChange,
  requested: { readonly [K in keyof Branding]?: Branding[K] | undefined },
): Promise<Branding> {
  const account = await requireLockedAccount(tx);
  requireEnabledAccount(account);
  const setting = BRANDING_SETTINGS[tx.scope.environment];
  const stored: Readonly<Record<string, unknown>> = { ...resolveAccountSettings(account.storedSettings)[setting] };
  const changed = Object.entries(requested).filter(
    ([member, value]) => value !== undefined && value !== stored[member],
  );
  if (changed.length > 0) {
    const values = Object.fromEntries(changed.map(([member, value]) => [`${setting}.${member}`, value]));
    await changeAccountSettings(tx, change, values);
  }
  return getBranding(tx);
}
