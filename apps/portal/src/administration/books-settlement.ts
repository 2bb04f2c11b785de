import { Inject, Injectable } from '@nestjs/common';
import { PORTAL_PERMISSIONS, type Scope } from '@pos/core/identity';
import { Refusal, REFUSAL_CODES, type RefusalCode } from '@pos/core/refusals';
import { PendingAdministration } from '@pos/administration/pending-work';
import { resolvePendingPayment } from '@pos/rest-contracts/operators';
import { Database } from '@pos/store/database';
import { z } from 'zod';
import { ApiSender } from '../forwarding/api-sender.js';
import type { OperatorChange } from './operator-access.js';

const Settled = z.object({ state: z.string(), acquirerCall: z.object({ state: z.string() }).optional() });
const Problem = z.object({ reason: z.enum(REFUSAL_CODES), detail: z.string() });
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };
/** What the operation of the portal refuses too; another refusal of the API is not one that the operator can correct. */
const PASSED_ON: ReadonlySet<RefusalCode> = new Set([
  ...resolvePendingPayment.refusals,
  ...(['acquirer_not_configured', 'acquirer_unanswered', 'rate_limited', 'commit_unknown'] as const),
]);

/**
 * Settles lines by the books of the acquirer. Only the API has the acquirers and their credentials, so it reads the
 * books; the decision is stored before, with the user and the reason.
 */
@Injectable()
export class BooksSettlement {
  constructor(
    @Inject(ApiSender) private readonly sender: ApiSender,
    @Inject(Database) private readonly database: Database,
    @Inject(PendingAdministration) private readonly pending: PendingAdministration,
  ) {}

  /** The state of the line afterwards. Refuses what `resolvePendingPayment` of the API refuses. */
  async settle(scope: Scope, change: OperatorChange, id: string): Promise<string> {
    await this.database.transact(scope, (tx) => this.pending.recordBooksDecision(tx, { change, id }));
    const { method, path } = resolvePendingPayment;
    const answer = await this.sender.send({
      app: 'api',
      ...{ method, scope, actor: change.actor, permissions: PORTAL_PERMISSIONS.operator },
      path: path.replace('{paymentId}', encodeURIComponent(id)),
      body: Buffer.from(JSON.stringify({ action: 'SettleAsListed', note: change.reason })),
      headers: JSON_HEADERS,
    });
    const received: unknown = await answer.json().catch(() => null);
    if (answer.ok) {
      const { state, acquirerCall } = Settled.parse(received);
      return acquirerCall?.state ?? state;
    }
    const problem = Problem.safeParse(received);
    if (problem.success && PASSED_ON.has(problem.data.reason)) {
      throw new Refusal(problem.data.reason, problem.data.detail);
    }
    throw new Refusal('service_unavailable', 'The API has not settled the line. Read the list, then decide again.');
  }
}
