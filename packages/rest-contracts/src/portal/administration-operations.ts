import type { Operation } from '../operation/operation.js';
import * as accounts from './account-administration.js';
import * as settings from './agreed-settings.js';
import * as audit from './audit-log.js';
import * as deadLetters from './dead-letter-administration.js';
import * as pending from './pending-administration.js';
import * as terminals from './terminal-administration.js';
import * as users from './user-administration.js';

/** What operators of the whole service do in the portal. Each operation is refused to every other user (ADR 0102). */
export const ADMINISTRATION_OPERATIONS: readonly Operation[] = [
  pending.listAdministeredPending,
  pending.resolveAdministeredPending,
  pending.listAdministeredDifferences,
  pending.answerAdministeredDifference,
  pending.readAdministeredReconciliation,
  pending.startAdministeredReconciliation,
  deadLetters.listDeadLetterAccounts,
  deadLetters.listAdministeredDeadLetters,
  deadLetters.replayAdministeredDeadLetters,
  audit.listAdministeredAuditLog,
  accounts.listAdministeredAccounts,
  accounts.createAdministeredAccount,
  accounts.changeAdministeredAccountStatus,
  accounts.readAdministeredAccount,
  accounts.createAdministeredKey,
  accounts.revokeAdministeredKey,
  terminals.listAdministeredTerminals,
  terminals.registerAdministeredTerminal,
  terminals.replaceAdministeredTerminal,
  terminals.resetAdministeredTerminal,
  settings.listAgreedSettings,
  users.listAdministeredUsers,
  users.createAdministeredUser,
  users.changeAdministeredUserStatus,
  users.resetAdministeredPassword,
  users.unlockAdministeredUser,
  users.endAdministeredSessions,
  users.grantAdministeredRole,
  users.revokeAdministeredRole,
];
