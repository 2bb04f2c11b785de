// Activity log entries: their kinds and outcomes, and which JSON members are recorded with their values.
export {
  ACTIVITY_KINDS,
  ACTIVITY_OUTCOMES,
  ACTIVITY_TAG,
  type ActivityDetails,
  type ActivityKind,
  type ActivityOutcome,
  type ActivityRecorder,
  type NewActivity,
  NO_ACTIVITY_LOG,
  PAYMENT_ACTIVITY_KINDS,
  type PaymentActivityKind,
  type UnreadableDetail,
} from './activity.js';
export { isRecordableText, NOT_RECORDED, type RecordedJson, recordJson, recordPath } from './recorded-json.js';
