import type { AuditedChange } from '@pos/core/administration';
import { createViolation } from '@pos/core/refusals';
import type { Tx } from '@pos/store/database';
import { type AgreedSetting, deleteAgreedSettings, lockAgreedSetting, updateAgreedSetting } from '@pos/store/startup';
import { recordChange } from '@pos/payments/audit';

const VALUE_LENGTH_MAX = 2_000;

/**
 * Lets processes start with another value of a setting beside the current one, until the change is finished. Refuses an
 * unknown setting, one whose change is not finished, and the current value.
 */
export async function beginAgreedSettingChange(
  tx: Tx,
  change: AuditedChange,
  { name, value }: Pick<AgreedSetting, 'name' | 'value'>,
): Promise<AgreedSetting> {
  const setting = await requireAgreedSetting(tx, name);
  if (setting.nextValue !== null) {
    throw createViolation('validation_failed', 'name', `is being changed to ${setting.nextValue}: finish that first`);
  }
  if (value === '' || value.length > VALUE_LENGTH_MAX || value === setting.value) {
    throw createViolation(
      'validation_failed',
      'value',
      `must be 1 to ${VALUE_LENGTH_MAX} characters and another value`,
    );
  }
  return storeValues(tx, change, { setting, action: 'ChangeAgreedSetting', value: setting.value, nextValue: value });
}

/**
 * Ends a change: from now on only the new value is accepted, or with `isAbandoned` only the previous one. Refuses a
 * setting that is not being changed.
 */
export async function finishAgreedSettingChange(
  tx: Tx,
  change: AuditedChange,
  { name, isAbandoned }: { readonly name: string; readonly isAbandoned: boolean },
): Promise<AgreedSetting> {
  const setting = await requireAgreedSetting(tx, name);
  if (setting.nextValue === null) throw createViolation('validation_failed', 'name', 'is not being changed');
  const value = isAbandoned ? setting.value : setting.nextValue;
  return storeValues(tx, change, { setting, action: 'FinishAgreedSetting', value, nextValue: null });
}

/** Forgets all values: the next process that starts stores its own. For a service that is stopped as a whole. */
export async function resetAgreedSettings(tx: Tx, change: AuditedChange): Promise<string[]> {
  const names = await deleteAgreedSettings(tx);
  await recordChange(tx, change, { action: 'ResetAgreedSettings', subject: 'agreed_settings', before: { names } });
  return names;
}

async function storeValues(
  tx: Tx,
  change: AuditedChange,
  {
    setting,
    action,
    value,
    nextValue,
  }: Pick<AgreedSetting, 'value' | 'nextValue'> & {
    readonly setting: AgreedSetting;
    readonly action: 'ChangeAgreedSetting' | 'FinishAgreedSetting';
  },
): Promise<AgreedSetting> {
  const { name, value: valueBefore, nextValue: nextValueBefore } = setting;
  await updateAgreedSetting(tx, { name, value, nextValue });
  await recordChange(tx, change, {
    ...{ action, subject: name },
    before: { value: valueBefore, nextValue: nextValueBefore },
    after: { value, nextValue },
  });
  return { ...setting, value, nextValue, changedAt: tx.databaseNow };
}

async function requireAgreedSetting(tx: Tx, name: string): Promise<AgreedSetting> {
  const setting = await lockAgreedSetting(tx, name);
  if (setting === null) throw createViolation('validation_failed', 'name', 'is not an agreed setting of a process');
  return setting;
}
