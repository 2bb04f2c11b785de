import { afterEach, expect, test } from '@jest/globals';
import type { AfterQueryEvent, QueryRunner } from 'typeorm';
import { setDatabaseTelemetry } from './database-telemetry.js';
import { runLabelledWork, StatementSubscriber } from './typeorm-telemetry.js';

afterEach(() => setDatabaseTelemetry(null));

test('of statements that TypeORM sends together, each is observed with its own result in any order', () => {
  const ended: string[] = [];
  let started = 0;
  setDatabaseTelemetry({
    startRoundTrip: () => {
      started += 1;
      const start = started;
      return ({ listStatements, hasFailed }) =>
        ended.push(`${start} ${listStatements().join()}${hasFailed ? ' failed' : ''}`);
    },
    countServerFailure: () => undefined,
    readTraceparent: () => null,
    readTraceId: () => null,
  });
  const subscriber = new StatementSubscriber();
  const queryRunner = { data: { label: 'typeorm_both' } };
  const buildEvent = (success: boolean) =>
    ({ queryRunner, query: 'select $1', parameters: [success], success }) as unknown as AfterQueryEvent;
  const [first, second] = [buildEvent(true), buildEvent(false)];
  subscriber.beforeQuery(first);
  subscriber.beforeQuery(second);
  subscriber.afterQuery(second);
  expect(ended).toEqual(['2 typeorm_both failed']);
  subscriber.afterQuery(first);
  expect(ended).toEqual(['2 typeorm_both failed', '1 typeorm_both']);
  expect(started).toBe(2);
});

test('a second work of TypeORM on a connection is refused before the first one has ended', async () => {
  const runner = { data: {}, manager: {} } as QueryRunner;
  let end = (): void => undefined;
  const first = runLabelledWork(runner, 'typeorm_first', () => new Promise<void>((resolve) => (end = resolve)));
  const both = 'typeorm_second begins before typeorm_first has ended';
  await expect(runLabelledWork(runner, 'typeorm_second', () => Promise.resolve())).rejects.toThrow(both);
  end();
  await first;
  await expect(runLabelledWork(runner, 'typeorm_second', () => Promise.resolve(1))).resolves.toBe(1);
});
