// Portal users: roles, sign-in, passwords, second factors, sessions and saved views of the payment list.
export {
  changePortalUserStatus,
  createPassword,
  createPortalUser,
  endPortalSessions,
  grantPortalRole,
  type ListedPortalUser,
  listPortalUsers,
  normaliseEmail,
  resetPortalPassword,
  revokePortalRole,
  unlockPortalUser,
} from './portal-user-administration.js';
export { PortalSignIn, REAUTHENTICATION_MS, type ReauthenticationProof } from './portal-sign-in.js';
export { SIGN_IN_AGE_MS, SignInSteps } from './sign-in-steps.js';
export { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from './own-sessions.js';
export { changeOwnPassword } from './own-password.js';
export { type FactorMethods, type FactorProof, FactorProofs } from './factor-proofs.js';
export { FactorEnrolment } from './factor-enrolment.js';
export { resetSecondFactor } from './factor-reset.js';
export { findRelyingParty, type RelyingParty } from './relying-party.js';
export { createSavedView, deleteSavedView, listSavedViews, renameSavedView } from './saved-views.js';
export { runPortalUsersUpkeep } from './unused-users.js';
