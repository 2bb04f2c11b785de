import type { ReturnsOf } from '@pos/rest-contracts/operation/operation';
import type * as accounts from '@pos/rest-contracts/portal/account-administration';
import type * as settings from '@pos/rest-contracts/portal/agreed-settings';
import type * as audit from '@pos/rest-contracts/portal/audit-log';
import type * as deadLetters from '@pos/rest-contracts/portal/dead-letter-administration';
import type * as partners from '@pos/rest-contracts/portal/partner-administration';
import type * as pending from '@pos/rest-contracts/portal/pending-administration';
import type * as terminals from '@pos/rest-contracts/portal/terminal-administration';
import type * as users from '@pos/rest-contracts/portal/user-administration';

/** What the portal answers to operators, as nobody changes it. */
export type LineAnswer = ReturnsOf<typeof pending.listAdministeredPending>['lines'][number];
export type OwnerAnswer = Pick<LineAnswer, 'accountId' | 'tradingName' | 'environment'>;
export type DifferenceAnswer = ReturnsOf<typeof pending.listAdministeredDifferences>['differences'][number];
export type DeadLetterAnswer = ReturnsOf<typeof deadLetters.listAdministeredDeadLetters>[number];
export type AuditEntryAnswer = ReturnsOf<typeof audit.listAdministeredAuditLog>['entries'][number];
export type AccountAnswer = ReturnsOf<typeof accounts.listAdministeredAccounts>[number];
export type AccountDetailsAnswer = ReturnsOf<typeof accounts.readAdministeredAccount>;
export type TerminalAnswer = ReturnsOf<typeof terminals.listAdministeredTerminals>[number];
export type SettingAnswer = ReturnsOf<typeof settings.listAgreedSettings>[number];
export type UserAnswer = ReturnsOf<typeof users.listAdministeredUsers>[number];
export type PartnerAnswer = ReturnsOf<typeof partners.listAdministeredPartners>['partners'][number];
export type PartnerLineAnswer = ReturnsOf<typeof partners.reportAdministeredPartners>[number];
