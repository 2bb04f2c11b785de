import { Controller } from '@nestjs/common';
import {
  getTerminal,
  listSessionsOfTerminal,
  listTerminals,
  resetMachine,
  type TerminalView,
} from '@pos/payments/terminals';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/accounts';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { TerminalSessionSummary } from '@pos/store/terminals';
import { ApiDatabase } from '../database/api-database.js';

@Controller()
export class TerminalsController {
  constructor(private readonly database: ApiDatabase) {}

  @Serve(rest.listTerminals)
  async list({ caller, query }: OperationCall<typeof rest.listTerminals>) {
    const views = await this.database.read(caller.scope, (reader) => listTerminals(reader, query.statuses));
    return views.map(presentTerminal);
  }

  @Serve(rest.readTerminal)
  async read({ caller, params }: OperationCall<typeof rest.readTerminal>) {
    return presentTerminal(await this.database.read(caller.scope, (reader) => getTerminal(reader, params.terminalId)));
  }

  @Serve(rest.listTerminalSessions)
  async listSessions({ caller, params, query }: OperationCall<typeof rest.listTerminalSessions>) {
    const { sessions, before, after } = await this.database.read(caller.scope, (reader) =>
      listSessionsOfTerminal(reader, { ...query, terminalId: params.terminalId }),
    );
    return { data: sessions.map(presentSessionSummary), before, after };
  }

  @Serve(rest.resetTerminalMachine)
  async reset(call: OperationCall<typeof rest.resetTerminalMachine>) {
    const { caller, params, body } = call;
    return this.database.runOnce<typeof rest.resetTerminalMachine>(call, async (tx) =>
      presentTerminal(await resetMachine(tx, { caller, terminalId: params.terminalId, note: body.note })),
    );
  }
}

function presentSessionSummary(session: TerminalSessionSummary): rest.TerminalSessionSummary {
  const { id, status, sessionType, intentId: paymentIntentId, amount: value, currency: currencyCode } = session;
  return {
    ...{ id, status, sessionType, amount: { value, currencyCode } },
    ...present({ paymentIntentId }),
    createdAt: presentMoment(session.createdAt),
    updatedAt: presentMoment(session.updatedAt),
  };
}

function presentTerminal({ terminal, status, updatedAt }: TerminalView): rest.Terminal {
  const { id, tid } = terminal;
  return { id, properties: { tid }, status, updatedAt: presentMoment(updatedAt) };
}
