import type * as accounts from '@pos/rest-contracts/portal/account-administration';
import type * as settings from '@pos/rest-contracts/portal/agreed-settings';
import type * as audit from '@pos/rest-contracts/portal/audit-log';
import type * as deadLetters from '@pos/rest-contracts/portal/dead-letter-administration';
import type * as pending from '@pos/rest-contracts/portal/pending-administration';
import type * as terminals from '@pos/rest-contracts/portal/terminal-administration';
import type * as users from '@pos/rest-contracts/portal/user-administration';
import type { Endpoint } from './endpoint.js';

/** The first part of the keys of what operators of the service read. */
export const ADMINISTRATION = 'administration';

const GET = { method: 'GET', isOwn: true } as const;
const POST = { method: 'POST', isOwn: true } as const;

export const listAdministeredPending: Endpoint<typeof pending.listAdministeredPending> = {
  ...GET,
  path: '/portal/administration/pending',
};
export const resolveAdministeredPending: Endpoint<typeof pending.resolveAdministeredPending> = {
  ...POST,
  path: '/portal/administration/pending/resolve',
};
export const listAdministeredDifferences: Endpoint<typeof pending.listAdministeredDifferences> = {
  ...GET,
  path: '/portal/administration/differences',
};
export const answerAdministeredDifference: Endpoint<typeof pending.answerAdministeredDifference> = {
  ...POST,
  path: '/portal/administration/differences/answer',
};
export const readAdministeredReconciliation: Endpoint<typeof pending.readAdministeredReconciliation> = {
  ...GET,
  path: '/portal/administration/reconciliation',
};
export const startAdministeredReconciliation: Endpoint<typeof pending.startAdministeredReconciliation> = {
  ...POST,
  path: '/portal/administration/reconciliation/start',
};
export const listDeadLetterAccounts: Endpoint<typeof deadLetters.listDeadLetterAccounts> = {
  ...GET,
  path: '/portal/administration/dead-letters/accounts',
};
export const listAdministeredDeadLetters: Endpoint<typeof deadLetters.listAdministeredDeadLetters> = {
  ...GET,
  path: '/portal/administration/dead-letters',
};
export const replayAdministeredDeadLetters: Endpoint<typeof deadLetters.replayAdministeredDeadLetters> = {
  ...POST,
  path: '/portal/administration/dead-letters/replay',
};
export const listAdministeredAuditLog: Endpoint<typeof audit.listAdministeredAuditLog> = {
  ...GET,
  path: '/portal/administration/audit-log',
};
export const listAdministeredAccounts: Endpoint<typeof accounts.listAdministeredAccounts> = {
  ...GET,
  path: '/portal/administration/accounts',
};
export const createAdministeredAccount: Endpoint<typeof accounts.createAdministeredAccount> = {
  ...POST,
  path: '/portal/administration/accounts',
};
export const changeAdministeredAccountStatus: Endpoint<typeof accounts.changeAdministeredAccountStatus> = {
  ...POST,
  path: '/portal/administration/accounts/status',
};
export const readAdministeredAccount: Endpoint<typeof accounts.readAdministeredAccount> = {
  ...GET,
  path: '/portal/administration/account',
};
export const createAdministeredKey: Endpoint<typeof accounts.createAdministeredKey> = {
  ...POST,
  path: '/portal/administration/keys',
};
export const revokeAdministeredKey: Endpoint<typeof accounts.revokeAdministeredKey> = {
  ...POST,
  path: '/portal/administration/keys/revoke',
};
export const listAdministeredTerminals: Endpoint<typeof terminals.listAdministeredTerminals> = {
  ...GET,
  path: '/portal/administration/terminals',
};
export const registerAdministeredTerminal: Endpoint<typeof terminals.registerAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals',
};
export const replaceAdministeredTerminal: Endpoint<typeof terminals.replaceAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals/replace',
};
export const resetAdministeredTerminal: Endpoint<typeof terminals.resetAdministeredTerminal> = {
  ...POST,
  path: '/portal/administration/terminals/reset-credential',
};
export const listAgreedSettings: Endpoint<typeof settings.listAgreedSettings> = {
  ...GET,
  path: '/portal/administration/agreed-settings',
};
export const listAdministeredUsers: Endpoint<typeof users.listAdministeredUsers> = {
  ...GET,
  path: '/portal/administration/users',
};
export const createAdministeredUser: Endpoint<typeof users.createAdministeredUser> = {
  ...POST,
  path: '/portal/administration/users',
};
export const changeAdministeredUserStatus: Endpoint<typeof users.changeAdministeredUserStatus> = {
  ...POST,
  path: '/portal/administration/users/status',
};
export const resetAdministeredPassword: Endpoint<typeof users.resetAdministeredPassword> = {
  ...POST,
  path: '/portal/administration/users/reset-password',
};
export const unlockAdministeredUser: Endpoint<typeof users.unlockAdministeredUser> = {
  ...POST,
  path: '/portal/administration/users/unlock',
};
export const endAdministeredSessions: Endpoint<typeof users.endAdministeredSessions> = {
  ...POST,
  path: '/portal/administration/users/end-sessions',
};
export const grantAdministeredRole: Endpoint<typeof users.grantAdministeredRole> = {
  ...POST,
  path: '/portal/administration/users/grant',
};
export const revokeAdministeredRole: Endpoint<typeof users.revokeAdministeredRole> = {
  ...POST,
  path: '/portal/administration/users/revoke',
};
