import { Controller } from '@nestjs/common';
import { type TerminalSessionRequest, TerminalSessions } from '@pos/payments/terminals';
import type { BodyOf } from '@pos/rest-contracts/operation';
import { type GiveBackTarget, requireSecondPerson } from '@pos/payments/four-eyes';
import * as rest from '@pos/rest-contracts/terminal-sessions';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';
import { presentSession } from './terminal-session-presenter.js';

@Controller()
export class TerminalSessionsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly sessions: TerminalSessions,
  ) {}

  @Serve(rest.createTerminalSession)
  async create(call: OperationCall<typeof rest.createTerminalSession>) {
    const request = readSessionRequest(call.body);
    return this.database.runOnce<typeof rest.createTerminalSession>(call, async (tx) => {
      const target = toGiveBackTarget(request);
      const givenBackBy = target === null ? null : await requireSecondPerson(tx, call, target);
      const owned = request.sessionType === 'UnlinkedRefund' ? { ...request, givenBackBy } : request;
      return presentSession(await this.sessions.create(tx, call.caller, owned));
    });
  }

  @Serve(rest.readTerminalSession)
  async read({ caller, params }: OperationCall<typeof rest.readTerminalSession>) {
    return presentSession(
      await this.database.read(caller.scope, (reader) => this.sessions.get(reader, params.terminalSessionId)),
    );
  }

  @Serve(rest.cancelTerminalSession)
  async cancel(call: OperationCall<typeof rest.cancelTerminalSession>) {
    return this.database.runOnce<typeof rest.cancelTerminalSession>(call, async (tx) =>
      presentSession(await this.sessions.cancel(tx, call.params.terminalSessionId)),
    );
  }

  @Serve(rest.decideSignature)
  async decideSignature(call: OperationCall<typeof rest.decideSignature>) {
    const { params, body } = call;
    return this.database.runOnce<typeof rest.decideSignature>(call, async (tx) =>
      presentSession(await this.sessions.decideSignature(tx, params.terminalSessionId, body.accepted)),
    );
  }
}

/** What a refund on a machine gives back; null for a sale. */
function toGiveBackTarget(request: TerminalSessionRequest): GiveBackTarget | null {
  switch (request.sessionType) {
    case 'Sale':
      return null;
    case 'MatchedRefund': {
      const { paymentIntentId, amount } = request;
      return { kind: 'payment', paymentIntentId, amount: amount?.value ?? null };
    }
    case 'UnlinkedRefund':
      return { kind: 'unlinked', amount: request.amount };
  }
}

function readSessionRequest({
  terminalId,
  details,
}: BodyOf<typeof rest.createTerminalSession>): TerminalSessionRequest {
  switch (details.sessionType) {
    case 'Sale':
      return { terminalId, sessionType: 'Sale', paymentIntentId: details.sale.paymentIntentId };
    case 'MatchedRefund': {
      const { paymentIntentId, amount } = details.matchedRefund;
      return { terminalId, sessionType: 'MatchedRefund', paymentIntentId, amount: amount ?? null };
    }
    case 'UnlinkedRefund': {
      const { amount, cardholderNotPresent } = details.unlinkedRefund;
      return { terminalId, sessionType: 'UnlinkedRefund', amount, cardHolderNotPresent: cardholderNotPresent };
    }
  }
}
