import { Controller } from '@nestjs/common';
import type { Alarm } from '@pos/core/operators';
import { answerAlarm, listAlarmPage } from '@pos/payments/alarms';
import * as rest from '@pos/rest-contracts/operators';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

/** Lists the alarms of an account and records the answers of its operators. */
@Controller()
export class AlarmsController {
  constructor(private readonly store: ApiDatabase) {}

  @Serve(rest.listAlarms)
  async list({ caller, query }: OperationCall<typeof rest.listAlarms>) {
    const { state, ...page } = query;
    const isAnswered = state === undefined ? undefined : state === 'Answered';
    const { alarms, before, after } = await this.store.read(caller.scope, (reader) =>
      listAlarmPage(reader, { ...page, isAnswered }),
    );
    return { data: alarms.map(presentAlarm), before, after };
  }

  @Serve(rest.answerAlarm)
  async answer(call: OperationCall<typeof rest.answerAlarm>) {
    const { caller, params, body } = call;
    return this.store.runOnce<typeof rest.answerAlarm>(call, async (tx) =>
      presentAlarm(await answerAlarm(tx, { caller, alarmId: params.alarmId, note: body.note })),
    );
  }
}

function presentAlarm({ id, kind, subject, message, details, createdAt, answer }: Alarm): rest.Alarm {
  return {
    ...{ alarmId: id, kind, subject, message, details: { ...details } },
    createdAt: presentMoment(createdAt),
    state: answer === null ? 'Unanswered' : 'Answered',
    ...(answer !== null && {
      answer: { note: answer.note, keyId: answer.keyId, answeredAt: presentMoment(answer.answeredAt) },
    }),
  };
}
