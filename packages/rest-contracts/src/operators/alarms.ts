import { ALARM_KINDS } from '@pos/core/operators';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';

const Alarm = z
  .object({
    alarmId: z.uuid().describe('UUID of the alarm.'),
    kind: z.enum(ALARM_KINDS).describe('What is wrong; the page about pending payments and alarms explains each kind.'),
    subject: z.string().meta({ description: 'The reference or id that the alarm is about.' }),
    message: z.string().meta({ description: 'What happened, and what to check.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Facts of this kind of alarm; amounts are minor units.' }),
    createdAt: Moment.describe('When the alarm was raised.'),
    state: z
      .enum(['Unanswered', 'Answered'])
      .describe('`Unanswered` until an operator has answered it, or the service because its cause has ended.'),
    answer: z
      .object({
        note: z.string().describe('What the operator has checked and done, or what has ended.'),
        keyId: z
          .string()
          .describe(
            'Id of the API key (`key_…`) that answered; `service` if the cause ended and the service answered itself.',
          ),
        answeredAt: Moment.describe('When it was answered.'),
      })
      .optional()
      .meta({ description: 'What the operator said, with whose key, and when.' }),
  })
  .meta({
    id: 'Alarm',
    examples: [
      {
        alarmId: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20',
        kind: 'AcquirerAnswerContradicted',
        subject: 'cp_sandbox_5pXo1mZbQW2s7cR9tLh3Vw',
        message: 'The acquirer approved a Capture that it had declined before. Compare its books with ours.',
        details: { first: 'declined', second: 'approved', amount: 1250, currency: 'GBP' },
        createdAt: '2026-03-01T12:00:00.000Z',
        state: 'Unanswered',
      },
    ],
  });
export type Alarm = z.output<typeof Alarm>;

const shared = { tag: 'Alarms', permission: 'tables.operate', version: 'optional' } as const;

export const listAlarms = {
  ...shared,
  id: 'listAlarms',
  method: 'GET',
  path: '/alarms',
  summary: 'List what an operator has to look at, newest first',
  description:
    'Alarms are never deleted. While an alarm is unanswered, the same one is not raised again. `state` selects the answered ' +
    'or the unanswered ones.',
  idempotency: 'none',
  query: z
    .object({
      ...PAGE_MEMBERS,
      state: z
        .enum(['Unanswered', 'Answered'])
        .optional()
        .describe('Only answered or only unanswered alarms; all when not sent.'),
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('AlarmPage', Alarm),
  refusals: [],
} as const satisfies Operation;

export const answerAlarm = {
  ...shared,
  id: 'answerAlarm',
  method: 'POST',
  path: '/alarms/{alarmId}/answer',
  summary: 'Answer an alarm',
  description:
    'Records what was checked and done; it changes nothing else. The same alarm may be raised again afterwards. Stored in the ' +
    'audit log.',
  idempotency: 'optional',
  params: z.object({ alarmId: z.string().describe('UUID of the alarm.') }),
  body: z
    .object({ note: freeText({ min: 1, max: 1024 }).meta({ description: 'What was checked; kept in the audit log.' }) })
    .meta({ id: 'AlarmAnswer', examples: [{ note: 'the acquirer has corrected its books' }] }),
  returns: Alarm,
  refusals: ['alarm_not_found', 'alarm_answered'],
} as const satisfies Operation;

export const ALARM_OPERATIONS = [listAlarms, answerAlarm] as const;
