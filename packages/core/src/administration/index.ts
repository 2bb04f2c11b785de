// Audit log entries, and the rules for actions that need a second person or a second operator.
export {
  ADMINISTRATION_KEY_ID,
  AUDIT_ACTIONS,
  AUDIT_ACTOR_LENGTH_MAX,
  AUDIT_REASON_LENGTH_MAX,
  type AuditAction,
  type AuditedChange,
  type AuditEntry,
  type AuditState,
  type OperatingSystemIdentity,
  PORTAL_KEY_ID,
  SYSTEM_ACCOUNT_ID,
  SYSTEM_SCOPE,
} from './audit-entry.js';
export {
  type ActionOutcome,
  type ActionSummary,
  type ForwardedAction,
  FOUR_EYES_KEY_PREFIX,
  FOUR_EYES_STATES,
  type FourEyesDecider,
  type FourEyesRequest,
  type FourEyesState,
  isExpired,
  readActionState,
  requireDecidable,
} from './four-eyes-request.js';
export { type MeasuredGiveBack, needsSecondPerson } from './give-back-limits.js';
export {
  areLimitsWeaker,
  type ChangeSource,
  type GuardedOperation,
  hashOperation,
  isByRequester,
  OPERATOR_APPROVAL_HOURS,
  type OperatorApproval,
  type OperatorApprovalState,
  type OperatorOperation,
  readSource,
  requireOtherOperator,
  SecondOperatorNeeded,
} from './operator-approval.js';
