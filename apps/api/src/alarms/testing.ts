import { randomUUID } from 'node:crypto';
import { answerAlarm, listAlarmPage, raiseAlarm } from '@pos/payments/alarms';
import { type Accepted, at, type Own } from '../payment-intents/testing.js';
import type { ApiWorld } from '../testing.js';

type World = () => ApiWorld;

const ANSWER = { note: 'checked with the acquirer' };
const answerOf = (alarmId: string): string => `/alarms/${alarmId}/answer`;

/** Raises an alarm and returns its id. */
async function raisedAlarm(world: ApiWorld): Promise<string> {
  const { database } = world.place;
  const alarm = { kind: 'AcquirerCallOpen', message: 'A Capture is open.', details: {} } as const;
  await database.transact(world.sandbox, (tx) => raiseAlarm(tx, { ...alarm, subject: randomUUID() }));
  const { alarms } = await database.read(world.sandbox, (reader) => listAlarmPage(reader, { limit: 1 }));
  return alarms[0]!.id;
}

/** A request of each operation on alarms, which it accepts. */
export function alarmRequests(world: World): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    listAlarms: () => Promise.resolve({ path: '/alarms', wrong: { query: '?limit=0' } }),
    answerAlarm: async () => ({
      path: answerOf(await raisedAlarm(world())),
      body: ANSWER,
      wrong: { body: { note: '' } },
    }),
  };
}

/** How an answer to an alarm is refused by its own rules. */
export function alarmRefusals(world: World): readonly Own[] {
  const unknown = (id: () => Promise<string> | string, key?: () => string): Own => [
    'answerAlarm',
    'alarm_not_found',
    [],
    async () => at(answerOf(await id()), ANSWER, key?.()),
  ];
  const wrong = (body: unknown): Own => [
    'answerAlarm',
    'validation_failed',
    ['note'],
    async () => at(answerOf(await raisedAlarm(world())), body),
  ];
  return [
    wrong({}),
    wrong({ note: 'x'.repeat(1025) }),
    unknown(() => randomUUID()),
    unknown(() => '%00'),
    unknown(
      () => raisedAlarm(world()),
      () => world().keys.foreign,
    ),
    unknown(
      () => raisedAlarm(world()),
      () => world().keys.production,
    ),
    [
      'answerAlarm',
      'alarm_answered',
      [],
      async () => {
        const alarmId = await raisedAlarm(world());
        const caller = { keyId: 'key_AAAAAAAAAAAAAAAAAAAAAA' } as const;
        await world().place.database.transact(world().sandbox, (tx) => answerAlarm(tx, { caller, alarmId, ...ANSWER }));
        return at(answerOf(alarmId), ANSWER);
      },
    ],
  ];
}
