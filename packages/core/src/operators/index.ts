// Alarms for operators, and the decisions that operators take on open payments.
export {
  type Alarm,
  ALARM_ENDS,
  ALARM_KINDS,
  ALARM_SERVICE_AUTHOR,
  ALARM_SUBJECT_LENGTH_MAX,
  type AlarmAnswer,
  type AlarmDetails,
  type AlarmKind,
  type EndingAlarmKind,
} from './alarm.js';
export {
  isRefundDecision,
  OPERATOR_CALL_ACTIONS,
  type OperatorCall,
  type OperatorCallAction,
  PENDING_ACTIONS,
  type PendingAction,
  REFUND_DECISIONS,
  type RefundDecision,
} from './operator-call.js';
