import { Controller } from '@nestjs/common';
import { groupErrorsOfPeriod, listAccountRequests, listActivitiesOfPayment } from '@pos/payments/activities';
import * as rest from '@pos/rest-contracts/activities';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';
import { presentPaymentActivity, presentRequest } from './activity-presenter.js';

/** Reads the activity log of an account, and the timelines of its payments. */
@Controller()
export class ActivitiesController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listPaymentActivities)
  async listOfPayment({ caller, params, query }: OperationCall<typeof rest.listPaymentActivities>) {
    const { activities, before, after } = await this.store.read(caller.scope, (reader) =>
      listActivitiesOfPayment(reader, { ...query, id: params.paymentIntentId }),
    );
    return { data: activities.map(presentPaymentActivity), before, after };
  }

  @Serve(rest.listRequests)
  async listRequests({ caller, query }: OperationCall<typeof rest.listRequests>) {
    const { requests, before, after } = await this.store.readSingle(caller.scope, (reader) =>
      listAccountRequests(reader, query),
    );
    return { data: requests.map(presentRequest), before, after };
  }

  @Serve(rest.groupErrors)
  async groupErrors({ caller, query }: OperationCall<typeof rest.groupErrors>) {
    const { groups, isComplete } = await this.store.read(caller.scope, (reader) => groupErrorsOfPeriod(reader, query));
    const data = groups.map(({ name, status, reason, count, lastAt, lastTraceId }) => ({
      ...{ name, count, lastAt: presentMoment(lastAt), lastTraceId },
      ...present({ status, reason }),
    }));
    return { data, isComplete };
  }
}
