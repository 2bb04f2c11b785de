import { expect, test } from '@jest/globals';
import { ApiTestEnvironment, GBP_20, parseProblem } from '../testing/api-test-environment.js';

test('a server that became read-only is 503 with retry-after until another one takes over', async () => {
  const testEnvironment = await ApiTestEnvironment.open();
  const { testDatabase } = testEnvironment;
  const owner = await testDatabase.open({ url: testDatabase.ownerUrl });
  const name = new URL(testDatabase.ownerUrl).pathname.slice(1);
  /** As in a fail-over: connections are closed, and new ones reach a read-only server. */
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    await owner.dataSource.query(`alter database ${name} set default_transaction_read_only = ${String(isReadOnly)}`);
    await owner.dataSource.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
  };
  try {
    const create = () =>
      testEnvironment.sendRequest('POST', '/payment-intents', { body: { amount: GBP_20, reference: 'table 4' } });
    const { id } = JSON.parse((await create()).text) as { id: string };
    await setReadOnly(true);
    const details = new Set<unknown>();
    for (let count = 0; count < 30; count += 1) {
      const answer = await create();
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(await testEnvironment.findRefusal(answer)).toBe('service_unavailable');
      details.add(parseProblem(answer)['detail']);
    }
    expect([...details]).toContain('the database did not serve the request (25006)');
    // A server that lost a fail-over may lag behind what was acknowledged, so it answers no reads either (ADR 0081).
    expect((await testEnvironment.sendRequest('GET', `/payment-intents/${id}`)).status).toBe(503);
    // No connection is closed from outside: the pool itself must drop the read-only ones.
    await owner.dataSource.query(`alter database ${name} reset default_transaction_read_only`);
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) statuses.push((await create()).status);
    expect(statuses.at(-1)).toBe(200);
  } finally {
    await testEnvironment.close();
  }
});
