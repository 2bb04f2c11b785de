import type { Scope } from '@pos/core/identity';
import { type ApprovalConfirmation, confirmApproval, type MachineReport } from '@pos/core/terminals';
import type { Database } from '@pos/store/database';
import { findAcquirerCall } from '@pos/store/payments';
import { findTerminalSession } from '@pos/store/terminals';
import { findLoggedAcquirer, type LoggedAcquirers } from '../acquirer/logged-acquirer.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { setTimeout as wait } from 'node:timers/promises';

type ApprovedReport = Extract<MachineReport, { kind: 'approved' }>;

const POLL_INTERVAL_MS = 200;

/** Asks the acquirer about approvals of card machines before they are booked. */
export class MachineApprovals {
  constructor(
    private readonly parts: LoggedAcquirers & {
      readonly database: Database;
      readonly settings: Pick<PaymentSettings, 'approvalCheckMs'>;
    },
  ) {}

  /**
   * Adds to a report of an approval what the acquirer says of it, within the limit of the settings. Outside any
   * transaction. A report whose session has an approval, an acquirer that gives no answer, and a limit of 0 wait for
   * nothing; an acquirer that does not know the approval yet is asked again until the limit.
   */
  async confirm(scope: Scope, sessionId: string, report: ApprovedReport): Promise<ApprovedReport> {
    const confirmation = await this.#askAcquirer(scope, sessionId, report);
    return confirmation === null ? report : { ...report, confirmation };
  }

  async #askAcquirer(scope: Scope, sessionId: string, report: ApprovedReport): Promise<ApprovalConfirmation | null> {
    const { database, settings } = this.parts;
    if (settings.approvalCheckMs === 0) return null;
    const call = await database.read(scope, async (reader) => {
      const session = await findTerminalSession(reader, sessionId);
      return session === null || session.approval !== null ? null : findAcquirerCall(reader, session.acquirerReference);
    });
    const acquirer = call === null ? null : findLoggedAcquirer(this.parts, scope, call.acquirer);
    if (call === null || acquirer === null) return null;
    const { reference } = call;
    const approval = { ...report.approval, reference };
    const endsAt = performance.now() + settings.approvalCheckMs;
    for (;;) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return null;
      const answer = await acquirer.inquire({ reference, deadlineMs: Math.ceil(leftMs) });
      const confirmation = confirmApproval({ call, approval }, answer);
      if (confirmation === 'unknown') return null;
      if (confirmation !== 'askAgain') return confirmation;
      await wait(Math.min(POLL_INTERVAL_MS, Math.max(0, endsAt - performance.now())));
    }
  }
}
