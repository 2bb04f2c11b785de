import { Controller } from '@nestjs/common';
import { type FourEyesRequest, isExpired } from '@pos/core/administration';
import { Refusal } from '@pos/core/refusals';
import { decideFourEyesRequest, listRequestsForSecondPerson } from '@pos/administration/four-eyes';
import { listPortalUsers } from '@pos/administration/portal';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { findFourEyesRequest } from '@pos/store/four-eyes';
import { isReauthenticated, PortalSessions, type WorkingSession } from '../sessions/portal-sessions.js';
import { SecondPersonRequests, toPerson } from '../forwarding/second-person-requests.js';

type Headers = OperationCall<typeof rest.listFourEyesRequests>['headers'];

/** What waits for a second person in the account of the session. Only users who may give money back see it. */
@Controller()
export class SecondPersonController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly database: Database,
    private readonly requests: SecondPersonRequests,
  ) {}

  @Serve(rest.listFourEyesRequests)
  async list({ headers, query }: OperationCall<typeof rest.listFourEyesRequests>) {
    const working = await this.sessions.requirePermission(headers, 'payments.refund');
    const { requests, before, after } = await this.database.read(working.scope, (reader) =>
      listRequestsForSecondPerson(reader, query),
    );
    return { requests: await this.#present(working, requests), before, after };
  }

  @Serve(rest.decideFourEyesRequest)
  async decide({ headers, body }: OperationCall<typeof rest.decideFourEyesRequest>) {
    const working = await this.#requireDecider(headers, body.id);
    const decision = { person: toPerson(working.session), decision: body };
    const decided = await decideFourEyesRequest(this.database, working.scope, decision);
    // From here on the request can be sent again: a lost answer is no lost approval.
    const ended = decided.state === 'Approved' ? await this.#sendOrKeep(working, decided) : decided;
    return this.#presentOne(working, ended);
  }

  @Serve(rest.sendFourEyesRequest)
  async send({ headers, body }: OperationCall<typeof rest.sendFourEyesRequest>) {
    const working = await this.#requireDecider(headers, body.id);
    return this.#presentOne(working, await this.requests.send(working, body.id));
  }

  /** An API that does not answer leaves the request approved, which the page shows. */
  async #sendOrKeep(working: WorkingSession, decided: FourEyesRequest): Promise<FourEyesRequest> {
    try {
      return await this.requests.send(working, decided.id);
    } catch (error) {
      if (error instanceof Refusal) return decided;
      throw error;
    }
  }

  /** Refuses a user without the permission of the action, and one whose last password entry is too old. */
  async #requireDecider(headers: Headers, id: string): Promise<WorkingSession> {
    const working = await this.sessions.requirePermission(headers, 'payments.refund');
    if (!isReauthenticated(working.session)) {
      throw new Refusal('reauthentication_needed', 'Enter your password again to do this.');
    }
    const request = await this.database.read(working.scope, (reader) => findFourEyesRequest(reader, id));
    if (request === null) throw new Refusal('four_eyes_request_unknown', 'there is no such request');
    const operation = API_OPERATIONS.find((each) => each.id === request.action.operationId);
    const permission = operation?.permission ?? null;
    if (permission === null || !new Set<string>(working.permissions).has(permission)) {
      throw new Refusal('permission_missing', `Your role lacks the permission ${permission ?? 'of the action'}.`);
    }
    return working;
  }

  async #presentOne(working: WorkingSession, request: FourEyesRequest): Promise<rest.FourEyesRequest> {
    const [presented] = await this.#present(working, [request]);
    if (presented === undefined) throw new Error('a request was not presented');
    return presented;
  }

  async #present({ session }: WorkingSession, requests: readonly FourEyesRequest[]): Promise<rest.FourEyesRequest[]> {
    const now = await this.database.now();
    const names = new Map((await listPortalUsers(this.database)).map(({ id, name }): [string, string] => [id, name]));
    const toName = (id: string): string => names.get(id) ?? id;
    return requests.map((request) => {
      const isOver = request.state === 'Waiting' && isExpired(request, now);
      const { requestedBy, decidedBy, decidedAt, decisionReason, outcome, summary } = request;
      const { operationId, paymentIntentId, amount, currency } = summary;
      return {
        ...{ id: request.id, operationId, body: request.action.body, state: isOver ? 'Expired' : request.state },
        ...(paymentIntentId !== null && { paymentIntentId }),
        ...(amount !== null && currency !== null && { amount: { value: amount, currencyCode: currency } }),
        ...{ requestedBy: toName(requestedBy), canDecide: requestedBy !== session.user.id },
        ...{ requestedAt: presentMoment(request.requestedAt), expiresAt: presentMoment(request.expiresAt) },
        ...(decidedBy !== null && { decidedBy: toName(decidedBy) }),
        ...(decisionReason !== null && { decisionReason }),
        ...(decidedAt !== null && { decidedAt: presentMoment(decidedAt) }),
        ...(outcome !== null && outcome.reason !== null && { outcomeReason: outcome.reason }),
      };
    });
  }
}
