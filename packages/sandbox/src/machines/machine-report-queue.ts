import type { MachineEvent, SentReport } from './machine-commands.js';

/** The session of a report. Its number increases with every report. */
export interface ReportedSession {
  readonly id: string;
  lastNumber: number;
}

/** The reports of a machine: sent while it is connected, and stored until the gateway has acknowledged them. */
export class MachineReportQueue {
  #unacknowledged: SentReport[] = [];
  #send: ((report: SentReport) => void) | null = null;

  get isConnected(): boolean {
    return this.#send !== null;
  }

  get length(): number {
    return this.#unacknowledged.length;
  }

  get firstSessionId(): string | undefined {
    return this.#unacknowledged[0]?.sessionId;
  }

  hasReportOf(sessionId: string): boolean {
    return this.#unacknowledged.some((report) => report.sessionId === sessionId);
  }

  /** The stream is open: all unacknowledged reports are sent again, in order. */
  connect(send: (report: SentReport) => void): void {
    this.#send = send;
    for (const report of this.#unacknowledged) send(report);
  }

  disconnect(): void {
    this.#send = null;
  }

  addReport(
    session: ReportedSession,
    event: MachineEvent,
    how: { readonly at: Date; readonly isTwice: boolean },
  ): void {
    session.lastNumber += 1;
    const report: SentReport = { sessionId: session.id, number: session.lastNumber, occurredAt: how.at, event };
    this.#unacknowledged.push(report);
    this.#send?.(report);
    if (how.isTwice) this.#send?.(report);
  }

  acknowledgeReports(sessionId: string, reportNumber: number): void {
    this.#unacknowledged = this.#unacknowledged.filter(
      (report) => report.sessionId !== sessionId || report.number > reportNumber,
    );
  }
}
