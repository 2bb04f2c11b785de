import { isSessionFinal, type TerminalSession } from './terminal-session.js';

/** A report by its kind and number. */
interface NumberedReport {
  readonly kind: string;
  readonly number: number;
}

/** Whether the attempt of the session can still take money. */
interface AttemptState {
  readonly isAttemptOpen: boolean;
}

/** Whether reports are missing before this one although the session still needs them. */
export function isReportAfterGap(
  session: TerminalSession,
  report: NumberedReport,
  { isAttemptOpen }: AttemptState,
): boolean {
  if (report.kind === 'unknownSession' || report.number <= session.lastReport + 1) return false;
  return isResultAwaited(session, isAttemptOpen) || session.status === 'SignatureVerificationRequired';
}

/**
 * Whether the machine has to send the report again, after the missing ones: it is not acknowledged, because that would
 * delete the missing ones on the machine. A machine that repeats it without them does not have them. An approval is
 * never postponed.
 */
export function isReportPostponed(session: TerminalSession, report: NumberedReport, attempt: AttemptState): boolean {
  const isRepeated = session.postponedReport === report.number;
  return !isApproval(report) && !isRepeated && isReportAfterGap(session, report, attempt);
}

/** A low number proves nothing about an approval while none was stored: a machine may number its reports wrongly. */
export function isRepeatedReport(
  session: TerminalSession,
  report: NumberedReport,
  { isAttemptOpen }: AttemptState,
): boolean {
  if (report.number > session.lastReport) return false;
  // An expired session is asked about already.
  if (report.kind === 'unreadableApproval' && session.status === 'Expired') return true;
  return !isApproval(report) || session.approval !== null || !isResultAwaited(session, isAttemptOpen);
}

/** Whether the report states that money was taken, held or returned. */
export function isApproval({ kind }: Pick<NumberedReport, 'kind'>): boolean {
  return kind === 'approved' || kind === 'unreadableApproval';
}

/** Whether a result of the machine can still move money. */
export function isResultAwaited({ status }: TerminalSession, isAttemptOpen: boolean): boolean {
  if (status === 'Expired') return isAttemptOpen;
  return !isSessionFinal(status) && status !== 'SignatureVerificationRequired';
}
