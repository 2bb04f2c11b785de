import { Controller } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import * as rest from '@pos/rest-contracts/operators';
import { type OperationCall, StoredReply, Serve } from '@pos/service-kit/http';
import { getFlow, FLOWS } from '../flows/flows.js';
import { presentFlow, presentRun } from './run-presenter.js';
import { readParams } from '../flow-context/run-params.js';
import { RunService } from './run-service.js';

/** The flows of the tester and their runs. */
@Controller()
export class FlowsController {
  constructor(private readonly runs: RunService) {}

  @Serve(rest.listFlows)
  async list() {
    return FLOWS.map(presentFlow);
  }

  @Serve(rest.startFlow)
  async start({ caller, body, idempotency }: OperationCall<typeof rest.startFlow>) {
    const flow = getFlow(body.flow);
    const params = readParams(flow.params, body.params);
    const { status, body: id, replayed } = await this.runs.start(caller.scope, { flow, params, idempotency });
    return new StoredReply({ status, body: JSON.stringify(id) }, replayed);
  }

  @Serve(rest.readRun)
  async read({ caller, params }: OperationCall<typeof rest.readRun>) {
    const id = toKebabCase(params.flowId);
    const run = id === null ? null : await this.runs.find(caller.scope, id);
    if (run === null) throw new Refusal('flow_not_found', 'there is no such run');
    return presentRun(run);
  }
}

/** A UUID in its stored form, or null for another text. */
function toKebabCase(text: string): string | null {
  const bare = text.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(bare)) return bare;
  if (!/^[0-9a-f]{32}$/.test(bare)) return null;
  return bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
