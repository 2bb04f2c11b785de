import type { EposCallRecord } from '@pos/rest-contracts/accounts';
import type { Translate } from '@pos/web-ui/messages';
import type { EPOS_MESSAGES } from './epos-messages.js';

export type UnreadableMember = NonNullable<EposCallRecord['unreadableMembers']>[number];

/**
 * What could not be read in an answer, in a few words: how many bills are missing because of it, else how many members
 * were left out; null when all was read. A bill with two odd members is missing once.
 */
export function summarizeUnreadable(
  members: readonly Readonly<UnreadableMember>[],
  text: Translate<keyof (typeof EPOS_MESSAGES)['en']>,
): string | null {
  if (members.length === 0) return null;
  const missing = new Set(members.flatMap(({ element, skipped }) => (skipped ? [element] : []))).size;
  return missing > 0 ? text('notShown', { count: missing }) : text('notRead', { count: members.length });
}
