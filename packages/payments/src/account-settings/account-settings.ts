import {
  findSettingField,
  flattenSettings,
  mergeStoredSettings,
  readColumnSettings,
  requireSettingValues,
  resolveAccountSettings,
  type SettingValues,
  type StoredAccountSettings,
} from '@pos/core/accounts';
import { areLimitsWeaker, type AuditedChange } from '@pos/core/administration';
import { ENVIRONMENTS } from '@pos/core/identity';
import { createViolation, Violations } from '@pos/core/refusals';
import { EPOS_CAPABILITIES } from '@pos/core/tables';
import type { Reader, Tx } from '@pos/store/database';
import {
  type AdministeredAccount,
  deleteEposIntegration,
  findEposIntegration,
  putEposIntegration,
  replaceAccountSettings,
} from '@pos/store/repositories';
import { formatUnknownAcquirer, readDeclarations } from '../acquirer/declared-acquirers.js';
import { claimMerchantIds } from '../accounts/merchant-id-claims.js';
import { requireSecondOperator } from '../four-eyes/operator-guard.js';
import { recordChange, requireAccount, requireLockedAccount } from '../audit/audited-change.js';

/** The setting for the integration that operators manage: its capabilities, in the environment of the scope. */
export const SERVICE_MANAGED_EPOS = 'serviceManagedEpos';

/** Every setting of an account with its value; names that this release does not know are listed apart. */
export interface AccountSettingsView {
  readonly values: Readonly<Record<string, unknown>>;
  /** Members of the stored settings that no release has, or another one. */
  readonly unknown: readonly string[];
}

/** The settings of the account of the scope. Refuses an unknown account. */
export async function getAccountSettings(reader: Reader): Promise<AccountSettingsView> {
  const account = await requireAccount(reader);
  const capabilities = await listManagedCapabilities(reader);
  return {
    values: { ...readValues(account), [SERVICE_MANAGED_EPOS]: capabilities },
    unknown: findUnknownMembers(account.storedSettings),
  };
}

/**
 * Changes settings of the account of the scope, and no others. Refuses unknown names and mistyped values, each by its
 * name, acquirers that have never answered a process, and merchant numbers of other accounts; then nothing is changed.
 * Processes use the new values within two seconds.
 */
export async function changeAccountSettings(
  tx: Tx,
  change: AuditedChange,
  values: Readonly<Record<string, unknown>>,
): Promise<AccountSettingsView> {
  const { [SERVICE_MANAGED_EPOS]: capabilities, ...others } = values;
  const checked = requireSettingValues(others);
  const account = await requireLockedAccount(tx);
  const before = { ...readValues(account), [SERVICE_MANAGED_EPOS]: await listManagedCapabilities(tx) };
  if (capabilities !== undefined) await changeManagedEpos(tx, capabilities);
  await requireKnownAcquirers(tx, checked);
  const changed = applyValues(account, checked);
  if (loosensGiveBacks(account, changed)) {
    const target = { account: account.id, values };
    await requireSecondOperator(tx, change, { operation: 'LoosenGiveBackLimits', target });
  }
  await replaceAccountSettings(tx, changed);
  if (Object.keys(checked).some((name) => /^(merchantIds?|acquirer)(\.|$)/.test(name))) {
    await claimMerchantIds(tx, { ...changed, settings: resolveAccountSettings(changed.storedSettings) });
  }
  const after = await getAccountSettings(tx);
  await recordChange(tx, change, {
    ...{ action: 'ChangeSettings', subject: account.id },
    before: pick(before, Object.keys(values)),
    after: pick(after.values, Object.keys(values)),
  });
  return after;
}

function loosensGiveBacks(before: AdministeredAccount, after: AdministeredAccount): boolean {
  const readLimits = ({ storedSettings }: AdministeredAccount) =>
    resolveAccountSettings(storedSettings).fourEyes.giveBacksAbove;
  return areLimitsWeaker(readLimits(before), readLimits(after));
}

/** A wrong name would stop the payments of the account, or give a number to nobody. */
async function requireKnownAcquirers(reader: Reader, values: SettingValues): Promise<void> {
  const violations = new Violations();
  for (const environment of ENVIRONMENTS) {
    const [chosen, numbers] = [`acquirer.${environment}`, `merchantIds.${environment}`];
    const { [chosen]: acquirer } = values;
    const named = [
      ...(typeof acquirer === 'string' ? [[chosen, acquirer] as const] : []),
      ...Object.keys(values[numbers] ?? {}).map((each) => [numbers, each] as const),
    ];
    if (named.length === 0) continue;
    const declarations = await readDeclarations(reader, environment);
    for (const [setting, name] of named) {
      if (!declarations.has(name)) violations.add(setting, formatUnknownAcquirer(name, environment, declarations));
    }
  }
  violations.throwIfAny('the settings cannot be stored');
}

function applyValues(account: AdministeredAccount, values: SettingValues): AdministeredAccount {
  const storedSettings = mergeStoredSettings(account.storedSettings, values);
  return { ...account, ...readColumnSettings(values), storedSettings };
}

async function changeManagedEpos(tx: Tx, capabilities: unknown): Promise<void> {
  const names: readonly unknown[] = Array.isArray(capabilities) ? capabilities : [null];
  const known = EPOS_CAPABILITIES.filter((name) => names.includes(name));
  if (known.length !== names.length) {
    const rule = `must be a list without repetition of ${EPOS_CAPABILITIES.join(', ')}`;
    throw createViolation('validation_failed', SERVICE_MANAGED_EPOS, rule);
  }
  if (known.length === 0) {
    await deleteEposIntegration(tx, 'service');
    return;
  }
  const registered = known.map((name) => ({ name, version: 'v1' as const }));
  await putEposIntegration(tx, {
    kind: 'service',
    url: null,
    username: null,
    password: null,
    capabilities: registered,
  });
}

async function listManagedCapabilities(reader: Reader): Promise<readonly string[]> {
  return (await findEposIntegration(reader, 'service'))?.capabilities.map(({ name }) => name) ?? [];
}

function readValues(account: AdministeredAccount): Readonly<Record<string, unknown>> {
  const { tradingName, merchantId, currencies, cardAttestationUntil } = account;
  const stored = flattenSettings(resolveAccountSettings(account.storedSettings));
  return { tradingName, merchantId, currencies, cardAttestationUntil, ...stored };
}

function findUnknownMembers(stored: StoredAccountSettings): string[] {
  return Object.keys(flattenSettings(stored))
    .filter((name) => findSettingField(name) === null)
    .sort();
}

function pick(values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}
