import { Controller } from '@nestjs/common';
import { isUuid } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import { listTesterRuns } from '@pos/payments/accounts';
import * as rest from '@pos/rest-contracts/operators';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { findTesterRun, type TesterRun, type TesterRunSummary } from '@pos/store/repositories';
import { z } from 'zod';
import { ApiDatabase } from '../database/api-database.js';

/** The members of a stored step that are shown; the tester stores more for itself. */
const StoredStep = z.object({
  name: z.string(),
  status: z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'TIMED_OUT']),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  additionalInformation: z.array(z.string()),
});

/** Reads the runs of the EPOS tester, which starts and stores them. */
@Controller()
export class TesterRunsController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listTesterRuns)
  async list({ caller, query }: OperationCall<typeof rest.listTesterRuns>) {
    const { runs, before, after } = await this.store.readSingle(caller.scope, (reader) =>
      listTesterRuns(reader, query),
    );
    return { data: runs.map(presentSummary), before, after };
  }

  @Serve(rest.readTesterRun)
  async read({ caller, params }: OperationCall<typeof rest.readTesterRun>) {
    const id = params.runId.toLowerCase();
    const run = isUuid(id) ? await this.store.readSingle(caller.scope, (reader) => findTesterRun(reader, id)) : null;
    if (run === null) throw new Refusal('flow_not_found', 'there is no such run');
    return presentRun(run);
  }
}

function presentSummary(run: TesterRunSummary): rest.RunSummary {
  const { id: flowID, flow: flowName, status, finishedAt, stepCount, failedStep } = run;
  return {
    ...{ flowID, flowName, status, startedAt: presentMoment(run.startedAt), stepCount },
    ...present({ finishedAt: finishedAt === null ? null : presentMoment(finishedAt), failedStep }),
  };
}

function presentRun({ id: flowID, flow: flowName, status, startedAt, finishedAt, steps }: TesterRun) {
  return {
    ...{ flowID, flowName, status, startedAt: presentMoment(startedAt) },
    ...present({ finishedAt: finishedAt === null ? null : presentMoment(finishedAt) }),
    steps: z
      .array(StoredStep)
      .parse(steps)
      .map(({ finishedAt: endedAt, ...step }) => ({ ...step, ...present({ finishedAt: endedAt }) })),
  };
}
