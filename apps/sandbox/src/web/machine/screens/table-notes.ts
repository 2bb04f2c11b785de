import type { Translate } from '@pos/web-ui/messages';
import type { MACHINE_TEXTS } from '../../messages/machine-texts.js';

/** What a waiter reads above the list: bills that are missing from it, or that nobody waits. */
export function listTableNotes(
  { shown, hidden }: { readonly shown: number; readonly hidden: number },
  t: Translate<keyof typeof MACHINE_TEXTS>,
): string[] {
  if (hidden > 0) return [hidden === 1 ? t('oneBillHidden') : t('billsHidden', { count: hidden })];
  return shown === 0 ? [t('noTables')] : [];
}
