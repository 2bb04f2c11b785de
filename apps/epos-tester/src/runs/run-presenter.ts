import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { presentMoment } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/operators';
import type { Flow } from '../flow-context/flow.js';
import type { Run } from './run.js';

/** A flow in the list of flows. */
export function presentFlow({ name, params }: Flow): ReturnsOf<typeof rest.listFlows>[number] {
  return {
    name,
    params: params.map(({ name: parameter, type, required, description, default: standard }) => ({
      name: parameter,
      type,
      required,
      description,
      default: standard,
    })),
  };
}

/** A run in its current state. */
export function presentRun({ id, flow, status, startedAt, finishedAt, steps }: Run): ReturnsOf<typeof rest.readRun> {
  return {
    flowID: id,
    flowName: flow,
    status,
    startedAt: presentMoment(startedAt),
    ...(finishedAt !== null && { finishedAt: presentMoment(finishedAt) }),
    steps: steps.map((step) => ({
      name: step.name,
      status: step.status,
      startedAt: step.startedAt,
      ...(step.finishedAt !== null && { finishedAt: step.finishedAt }),
      additionalInformation: [...step.additionalInformation],
    })),
  };
}
