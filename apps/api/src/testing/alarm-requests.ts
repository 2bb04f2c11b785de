import { randomUUID } from 'node:crypto';
import { answerAlarm, listAlarmPage, raiseAlarm } from '@pos/payments/alarms';
import { type AcceptedRequest, createRequest, type RefusalCase } from './money-requests.js';
import type { ApiTestEnvironment } from './api-test-environment.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const ALARM_ANSWER = { note: 'checked with the acquirer' };
const buildAnswerPath = (alarmId: string): string => `/alarms/${alarmId}/answer`;

/** Raises an alarm and returns its id. */
async function createRaisedAlarm(testEnvironment: ApiTestEnvironment): Promise<string> {
  const { database } = testEnvironment.testDatabase;
  const alarm = { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: {} } as const;
  await database.transact(testEnvironment.sandbox, (tx) => raiseAlarm(tx, { ...alarm, subject: randomUUID() }));
  const { alarms } = await database.read(testEnvironment.sandbox, (reader) => listAlarmPage(reader, { limit: 1 }));
  return alarms[0]!.id;
}

/** An accepted request for each operation on alarms. */
export function createAlarmRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    listAlarms: () => Promise.resolve({ path: '/alarms', invalid: { query: '?limit=0' } }),
    answerAlarm: async () => ({
      path: buildAnswerPath(await createRaisedAlarm(testEnvironment())),
      body: ALARM_ANSWER,
      invalid: { body: { note: '' } },
    }),
  };
}

/** The refusals that an answer to an alarm declares for itself. */
export function createAlarmRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  const unknown = (id: () => Promise<string> | string, key?: () => string): RefusalCase => [
    'answerAlarm',
    'alarm_not_found',
    [],
    async () => createRequest(buildAnswerPath(await id()), ALARM_ANSWER, key?.()),
  ];
  const invalid = (body: unknown): RefusalCase => [
    'answerAlarm',
    'validation_failed',
    ['note'],
    async () => createRequest(buildAnswerPath(await createRaisedAlarm(testEnvironment())), body),
  ];
  return [
    invalid({}),
    invalid({ note: 'x'.repeat(1025) }),
    unknown(() => randomUUID()),
    unknown(() => '%00'),
    unknown(
      () => createRaisedAlarm(testEnvironment()),
      () => testEnvironment().keys.foreign,
    ),
    unknown(
      () => createRaisedAlarm(testEnvironment()),
      () => testEnvironment().keys.production,
    ),
    [
      'answerAlarm',
      'alarm_answered',
      [],
      async () => {
        const alarmId = await createRaisedAlarm(testEnvironment());
        const caller = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
        await testEnvironment().testDatabase.database.transact(testEnvironment().sandbox, (tx) =>
          answerAlarm(tx, { caller, alarmId, ...ALARM_ANSWER }),
        );
        return createRequest(buildAnswerPath(alarmId), ALARM_ANSWER);
      },
    ],
  ];
}
