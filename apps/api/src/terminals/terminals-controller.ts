import { Controller } from '@nestjs/common';
import { resetMachine } from '@pos/payments/terminals/machine-bindings';
import { getTerminal, listTerminals, type TerminalView } from '@pos/payments/terminals/terminals';
import { presentMoment } from '@pos/rest-contracts/shapes/moment';
import * as rest from '@pos/rest-contracts/accounts/terminals';
import { type OperationCall, Serve } from '@pos/service-kit/http/operation-route';
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

  @Serve(rest.resetTerminalMachine)
  async reset(call: OperationCall<typeof rest.resetTerminalMachine>) {
    const { caller, params, body } = call;
    return this.database.runOnce<typeof rest.resetTerminalMachine>(call, async (tx) =>
      presentTerminal(await resetMachine(tx, { caller, terminalId: params.terminalId, note: body.note })),
    );
  }
}

function presentTerminal({ terminal, status, updatedAt }: TerminalView): rest.Terminal {
  const { id, tid } = terminal;
  return { id, properties: { tid }, status, updatedAt: presentMoment(updatedAt) };
}
