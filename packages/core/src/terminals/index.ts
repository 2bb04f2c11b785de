// Terminal sessions and card machines: session states, machine reports, and outcomes without a report.
export {
  type AttemptEffect,
  computeSaleParts,
  createSession,
  type IntentEffect,
  isSessionFinal,
  NOTIFICATION_TYPES,
  type NotificationType,
  refundParts,
  requestCancel,
  SESSION_MOVES,
  SESSION_STATUSES,
  SESSION_TYPES,
  SESSION_WINDOWS,
  type SessionDecision,
  type SessionParts,
  type SessionPaymentDetails,
  type SessionStatus,
  type SessionType,
  type SessionWindows,
  TERMINAL_STATUSES,
  type TerminalSession,
  type TerminalStatus,
} from './terminal-session.js';
export { applyReport, type EndedCall, type MachineReport } from './machine-report.js';
export { isReportPostponed } from './report-order.js';
export {
  type ApprovalConfirmation,
  checkMachineApproval,
  confirmApproval,
  isApprovalMissing,
} from './machine-approval.js';
export { applyWindowEnd, decideSignature, listUnlinkedTransactions } from './session-outcome.js';
export { decideLate, toPresentApproval } from './late-decision.js';
export { findFirstDigits } from './refunded-card.js';
export { bookUnmadeRefund, isCertainlyUnmade, NOT_FOUND_NEEDED, releaseUnmadeRefund } from './unmade-refund.js';
