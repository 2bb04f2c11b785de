import { Controller } from '@nestjs/common';
import {
  type AdministeredTerminal,
  listAdministeredTerminals,
  registerTerminal,
  replaceTerminal,
  resetTerminalCredential,
} from '@pos/administration/accounts';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { OperatorAccess } from './operator-access.js';
import { toTargetScope } from './target-scope.js';

/** Card machines of any account. */
@Controller()
export class TerminalController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAdministeredTerminals)
  async list({ headers, query }: OperationCall<typeof rest.listAdministeredTerminals>) {
    await this.access.requireOperator(headers);
    const terminals = await this.database.read(toTargetScope(query), listAdministeredTerminals);
    return terminals.map(presentTerminal);
  }

  @Serve(rest.registerAdministeredTerminal)
  async register({ headers, body }: OperationCall<typeof rest.registerAdministeredTerminal>) {
    const change = await this.access.requireChange(headers, body);
    const { tid, name, model, location } = body;
    const request = { tid, name, ...(model !== undefined && { model }), ...(location !== undefined && { location }) };
    await this.database.transact(toTargetScope(body), (tx) => registerTerminal(tx, change, request));
    return undefined;
  }

  @Serve(rest.replaceAdministeredTerminal)
  async replace({ headers, body }: OperationCall<typeof rest.replaceAdministeredTerminal>) {
    const change = await this.access.requireChange(headers, body);
    const { terminal, tid, model } = body;
    const request = { terminal, ...(tid !== undefined && { tid }), ...(model !== undefined && { model }) };
    await this.database.transact(toTargetScope(body), (tx) => replaceTerminal(tx, change, request));
    return undefined;
  }

  @Serve(rest.resetAdministeredTerminal)
  async reset({ headers, body }: OperationCall<typeof rest.resetAdministeredTerminal>) {
    const change = await this.access.requireChange(headers, body);
    await this.database.transact(toTargetScope(body), (tx) => resetTerminalCredential(tx, change, body.terminal));
    return undefined;
  }
}

function presentTerminal({ terminal, status, updatedAt, machineSerialNumber }: AdministeredTerminal) {
  const { id, tid, name, model, locationId } = terminal;
  return {
    ...{ id, tid, name, status, statusSince: presentMoment(updatedAt) },
    ...(model !== null && { model }),
    ...(locationId !== null && { locationId }),
    ...(machineSerialNumber !== null && { machineSerialNumber }),
  };
}
