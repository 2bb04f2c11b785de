// Checks that require a second person for money given back, or a second operator for sensitive changes.
export {
  type GiveBackTarget,
  hashRequest,
  mayGiveBack,
  readGiveBackAmount,
  refuseKeyAroundLimits,
  requireSecondPerson,
} from './give-back-guard.js';
export { refuseKeyOfUser, requireSecondOperator } from './operator-guard.js';
export { isMadeByRequester } from './made-users.js';
