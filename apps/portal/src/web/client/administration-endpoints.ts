import type * as rest from '@pos/rest-contracts/portal';
import type { Endpoint } from './endpoint.js';

/** The first part of the keys of what operators of the service read. */
export const ADMINISTRATION = 'administration';

const GET = { method: 'GET', isOwn: true } as const;
const POST = { method: 'POST', isOwn: true } as const;

export const listAdministeredPending: Endpoint<typeof rest.listAdministeredPending> = {
  ...GET,
  path: '/portal/administration/pending',
};
export const resolveAdministeredPending: Endpoint<typeof rest.resolveAdministeredPending> = {
  ...POST,
  path: '/portal/administration/pending/resolve',
};
export const listAdministeredDifferences: Endpoint<typeof rest.listAdministeredDifferences> = {
  ...GET,
  path: '/portal/administration/differences',
};
export const answerAdministeredDifference: Endpoint<typeof rest.answerAdministeredDifference> = {
  ...POST,
  path: '/portal/administration/differences/answer',
};
export const readAdministeredReconciliation: Endpoint<typeof rest.readAdministeredReconciliation> = {
  ...GET,
  path: '/portal/administration/reconciliation',
};
export const startAdministeredReconciliation: Endpoint<typeof rest.startAdministeredReconciliation> = {
  ...POST,
  path: '/portal/administration/reconciliation/start',
};
export const listDeadLetterAccounts: Endpoint<typeof rest.listDeadLetterAccounts> = {
  ...GET,
  path: '/portal/administration/dead-letters/accounts',
};
export const listAdministeredDeadLetters: Endpoint<typeof rest.listAdministeredDeadLetters> = {
  ...GET,
  path: '/portal/administration/dead-letters',
};
export const replayAdministeredDeadLetters: Endpoint<typeof rest.replayAdministeredDeadLetters> = {
  ...POST,
  path: '/portal/administration/dead-letters/replay',
};
export const listAdministeredAuditLog: Endpoint<typeof rest.listAdministeredAuditLog> = {
  ...GET,
  path: '/portal/administration/audit-log',
};
export const listAdministeredAccounts: Endpoint<typeof rest.listAdministeredAccounts> = {
  ...GET,
  path: '/portal/administration/accounts',
};
export const createAdministeredAccount: Endpoint<typeof rest.createAdministeredAccount> = {
  ...POST,
  path: '/portal/administration/accounts',
};
export const changeAdministeredAccountStatus: Endpoint<typeof rest.changeAdministeredAccountStatus> = {
  ...POST,
  path: '/portal/administration/accounts/status',
};
export const readAdministeredAccount: Endpoint<typeof rest.readAdministeredAccount> = {
  ...GET,
  path: '/portal/administration/account',
};
export const createAdministeredKey: Endpoint<typeof rest.createAdministeredKey> = {
  ...POST,
  path: '/portal/administration/keys',
};
export const changeAdministeredKey: Endpoint<typeof rest.changeAdministeredKey> = {
  ...POST,
  path: '/portal/administration/keys/change',
};
export const changeAdministeredLocation: Endpoint<typeof rest.changeAdministeredLocation> = {
  ...POST,
  path: '/portal/administration/locations/change',
};
export const revokeAdministeredKey: Endpoint<typeof rest.revokeAdministeredKey> = {
  ...POST,
  path: '/portal/administration/keys/revoke',
};
export const listAdministeredTerminals: Endpoint<typeof rest.listAdministeredTerminals> = {
  ...GET,
  path: '/portal/administration/terminals',
};
export const registerAdministeredTerminal: Endpoint<typeof rest.registerAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals',
};
export const replaceAdministeredTerminal: Endpoint<typeof rest.replaceAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals/replace',
};
export const resetAdministeredTerminal: Endpoint<typeof rest.resetAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals/reset-credential',
};
export const listAgreedSettings: Endpoint<typeof rest.listAgreedSettings> = {
  ...GET,
  path: '/portal/administration/agreed-settings',
};
export const listAdministeredUsers: Endpoint<typeof rest.listAdministeredUsers> = {
  ...GET,
  path: '/portal/administration/users',
};
export const createAdministeredUser: Endpoint<typeof rest.createAdministeredUser> = {
  ...POST,
  path: '/portal/administration/users',
};
export const changeAdministeredUserStatus: Endpoint<typeof rest.changeAdministeredUserStatus> = {
  ...POST,
  path: '/portal/administration/users/status',
};
export const resetAdministeredPassword: Endpoint<typeof rest.resetAdministeredPassword> = {
  ...POST,
  path: '/portal/administration/users/reset-password',
};
export const resetAdministeredSecondFactor: Endpoint<typeof rest.resetAdministeredSecondFactor> = {
  ...POST,
  path: '/portal/administration/users/reset-second-factor',
};
export const unlockAdministeredUser: Endpoint<typeof rest.unlockAdministeredUser> = {
  ...POST,
  path: '/portal/administration/users/unlock',
};
export const endAdministeredSessions: Endpoint<typeof rest.endAdministeredSessions> = {
  ...POST,
  path: '/portal/administration/users/end-sessions',
};
export const grantAdministeredRole: Endpoint<typeof rest.grantAdministeredRole> = {
  ...POST,
  path: '/portal/administration/users/grant',
};
export const revokeAdministeredRole: Endpoint<typeof rest.revokeAdministeredRole> = {
  ...POST,
  path: '/portal/administration/users/revoke',
};
export const listAdministeredPartners: Endpoint<typeof rest.listAdministeredPartners> = {
  ...GET,
  path: '/portal/administration/partners',
};
export const registerAdministeredPartner: Endpoint<typeof rest.registerAdministeredPartner> = {
  ...POST,
  path: '/portal/administration/partners',
};
export const changeAdministeredPartnerStatus: Endpoint<typeof rest.changeAdministeredPartnerStatus> = {
  ...POST,
  path: '/portal/administration/partners/status',
};
export const reportAdministeredPartners: Endpoint<typeof rest.reportAdministeredPartners> = {
  ...GET,
  path: '/portal/administration/partners/report',
};
