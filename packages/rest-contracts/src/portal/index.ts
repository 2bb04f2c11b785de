// REST operations of the portal: sign-in, users, second factors, four-eyes requests and administration.
export { PORTAL_OPERATIONS, PORTAL_TITLE } from './portal-operations.js';
export {
  choosePortalAccount,
  OIDC_CALLBACK_PATH,
  OIDC_REAUTHENTICATION,
  OIDC_START_PATH,
  PortalSession,
  readPortalSession,
  readSignInOptions,
  reauthenticate,
  SIGN_IN_PROBLEM,
  SIGN_IN_SECOND_FACTOR,
  signIn,
  type SignInProblem,
  signOut,
  signOutEverywhere,
} from './portal-session.js';
export { changePortalPassword, endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from './own-user.js';
export {
  addOneTimeCodes,
  addPasskey,
  beginOneTimeCodes,
  beginPasskey,
  beginPasskeySignIn,
  completeSignIn,
  createReauthenticationOptions,
  createSignInOptions,
  readSecondFactors,
  readSignInStep,
  removeOneTimeCodes,
  removePasskey,
  renewRecoveryCodes,
  SECOND_FACTOR_OPERATIONS,
  SIGN_IN_STEP_OPERATIONS,
} from './second-factors.js';
export {
  decideFourEyesRequest,
  type FourEyesRequest,
  listFourEyesRequests,
  SECOND_PERSON_OPERATIONS,
  sendFourEyesRequest,
} from './second-person.js';
export { readPortalOverview } from './portal-overview.js';
export {
  PORTAL_ACCOUNT_HEADER,
  PORTAL_API_PATH,
  PORTAL_BACKGROUND_HEADER,
  PORTAL_EVENTS_PATH,
  PORTAL_TRIAL_HEADER,
  type PortalEvent,
} from './portal-events.js';
export {
  createPaymentView,
  deletePaymentView,
  listPaymentViews,
  PAYMENT_VIEW_OPERATIONS,
  PaymentView,
  renamePaymentView,
} from './payment-views.js';
export {
  changePortalAccountSettings,
  type PortalAccountSettings,
  readPortalAccountSettings,
} from './account-settings.js';
export { ADMINISTRATION_OPERATIONS } from './administration-operations.js';
export {
  AdministeredAccount,
  changeAdministeredAccountStatus,
  changeAdministeredKey,
  changeAdministeredLocation,
  createAdministeredAccount,
  createAdministeredKey,
  listAdministeredAccounts,
  readAdministeredAccount,
  revokeAdministeredKey,
} from './account-administration.js';
export {
  changeAdministeredUserStatus,
  createAdministeredUser,
  endAdministeredSessions,
  grantAdministeredRole,
  listAdministeredUsers,
  resetAdministeredPassword,
  resetAdministeredSecondFactor,
  revokeAdministeredRole,
  unlockAdministeredUser,
} from './user-administration.js';
export {
  listAdministeredTerminals,
  registerAdministeredTerminal,
  replaceAdministeredTerminal,
  resetAdministeredTerminal,
} from './terminal-administration.js';
export {
  changeAdministeredPartnerStatus,
  listAdministeredPartners,
  registerAdministeredPartner,
  reportAdministeredPartners,
} from './partner-administration.js';
export {
  type AdministeredDifference,
  AdministeredPendingLine,
  answerAdministeredDifference,
  listAdministeredDifferences,
  listAdministeredPending,
  readAdministeredReconciliation,
  resolveAdministeredPending,
  startAdministeredReconciliation,
} from './pending-administration.js';
export {
  type AdministeredDeadLetter,
  listAdministeredDeadLetters,
  listDeadLetterAccounts,
  replayAdministeredDeadLetters,
} from './dead-letter-administration.js';
export { type AdministeredAuditEntry, listAdministeredAuditLog } from './audit-log.js';
export { type AgreedSetting, listAgreedSettings } from './agreed-settings.js';
export {
  MACHINE_FAULTS,
  PORTAL_SIMULATOR_OPERATIONS,
  readSimulator,
  switchSimulatedAcquirer,
  switchSimulatedEpos,
  switchSimulatedMachine,
} from './simulator.js';
export { readTestClock } from './test-clock.js';
