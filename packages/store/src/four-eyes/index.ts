// Stored requests for a second person, and stored approvals by a second operator.
export {
  findEqualRequest,
  findFourEyesRequest,
  findRepeatedRequest,
  insertFourEyesRequest,
  listFourEyesRequests,
  lockFourEyesRequest,
  storeDecision,
  storeOutcome,
} from './four-eyes-requests.js';
export {
  completeOperatorApproval,
  decideOperatorApproval,
  insertOperatorApproval,
  isRuleOwner,
  isSecondOperatorRequired,
  listOperatorApprovals,
  lockOpenApprovals,
  lockOperatorApproval,
  lockSecondOperatorRule,
  updateSecondOperatorRule,
} from './operator-approvals.js';
