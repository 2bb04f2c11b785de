import type { ReturnsOf } from '@pos/rest-contracts/operation';
import type * as rest from '@pos/rest-contracts/portal';

/** What the portal answers to operators, as nobody changes it. */
export type LineAnswer = ReturnsOf<typeof rest.listAdministeredPending>['lines'][number];
export type OwnerAnswer = Pick<LineAnswer, 'accountId' | 'tradingName' | 'environment'>;
export type DifferenceAnswer = ReturnsOf<typeof rest.listAdministeredDifferences>['differences'][number];
export type DeadLetterAnswer = ReturnsOf<typeof rest.listAdministeredDeadLetters>[number];
export type AuditEntryAnswer = ReturnsOf<typeof rest.listAdministeredAuditLog>['entries'][number];
export type AccountAnswer = ReturnsOf<typeof rest.listAdministeredAccounts>[number];
export type AccountDetailsAnswer = ReturnsOf<typeof rest.readAdministeredAccount>;
export type TerminalAnswer = ReturnsOf<typeof rest.listAdministeredTerminals>[number];
export type SettingAnswer = ReturnsOf<typeof rest.listAgreedSettings>[number];
export type UserAnswer = ReturnsOf<typeof rest.listAdministeredUsers>[number];
export type PartnerAnswer = ReturnsOf<typeof rest.listAdministeredPartners>['partners'][number];
export type PartnerLineAnswer = ReturnsOf<typeof rest.reportAdministeredPartners>[number];
