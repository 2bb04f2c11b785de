// Four-eyes approval: requests for a second person, and changes that need a second operator.
export {
  decideFourEyesRequest,
  finishFourEyesRequest,
  listRequestsForSecondPerson,
  type PortalPerson,
  requestSecondPerson,
  requireApprovedRequest,
} from './four-eyes-requests.js';
export {
  decideAboutOperator,
  listSecondOperatorRequests,
  requestSecondOperator,
  requireSecondOperators,
} from './operator-approvals.js';
