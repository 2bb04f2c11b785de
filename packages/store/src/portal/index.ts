// Stored portal users with their passwords, second factors, sign-ins, sessions and saved views.
export {
  countActiveOperators,
  deletePortalMembership,
  findPortalCredential,
  findPortalCredentialById,
  holdPortalCredential,
  insertPortalUser,
  listPortalUsers,
  lockPortalUser,
  type PortalCredential,
  type PortalUser,
  recordLastSignIn,
  updatePortalUserStatus,
  upsertPortalMembership,
} from './portal-users.js';
export { listRememberedPasswords, replacePasswordHash, updatePortalPassword } from './portal-passwords.js';
export {
  type AttemptSource,
  countSignInAttempt,
  deleteOldSignInAttempts,
  deleteSignInAttempts,
  listLockedUsers,
  lockSignInSource,
  unlockSignIn,
} from './portal-sign-in-attempts.js';
export {
  endSignIn,
  endSignInsOfUser,
  findSignIn,
  hashSignInId,
  insertSignIn,
  type OpenSignIn,
  putChallenge,
  takeChallenge,
} from './sign-ins.js';
export {
  deleteListedSession,
  deleteOtherPortalSessions,
  deletePortalSession,
  deletePortalSessions,
  findPortalSession,
  findPortalSessionByHash,
  formatListedSessionId,
  holdPortalSession,
  insertPortalSession,
  type ListedPortalSession,
  listPortalSessions,
  type PortalSession,
  recordReauthentication,
  recordSecondFactor,
  touchPortalSession,
  updateChosenAccount,
} from './portal-sessions.js';
export type { SignInMethod } from './factor-relations.js';
export {
  deletePasskey,
  deletePasskeys,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type Passkey,
  usePasskey,
} from './passkeys.js';
export { deleteTotpSecret, findTotpSecret, putTotpSecret, useTotpStep } from './totp-secrets.js';
export {
  deleteRecoveryCodes,
  listUnusedRecoveryCodes,
  replaceRecoveryCodes,
  type StoredRecoveryCode,
  useRecoveryCode,
} from './recovery-codes.js';
export { claimPortalNonce } from './portal-nonces.js';
export { listSavedViews, lockSavedViews, updateSavedViews } from './saved-views.js';
export { listOutboxNotices, type OutboxNotice, readPortalOverview } from './portal-activity.js';
export { deleteOldPortalMails, lockUnusedPortalUsers, schedulePortalUsersUpkeep } from './unused-portal-users.js';
