import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createSandboxClock } from '../clock/sandbox-clock.js';
import type { Tx } from './database.js';
import { defineChange, defineSeparateChange, defineStatement, sql } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const ONE = defineStatement('one', 'select 1 as one');
const COUNT = defineSeparateChange(
  'count',
  'select last from id_counters where account_id = $1 and environment = $2 and kind = $3',
);
const ADD = defineChange(
  'add',
  sql.insertInto('id_counters')`(account_id, environment, kind, last) values (${1}, ${2}, ${3}, 1)`,
);
const SLEEP = defineStatement('sleep', 'select pg_sleep(30)');
const WRONG = defineSeparateChange('wrong', 'select 1 / 0');

function add(tx: Tx, kind: string): Promise<unknown> {
  return tx.query(ADD, [tx.scope.accountId, tx.scope.environment, kind]);
}

function addLater(tx: Tx, kind: string): void {
  tx.enqueue(ADD, [tx.scope.accountId, tx.scope.environment, kind]);
}

async function isThere(scope = createTestScope(), kind = 'thing'): Promise<boolean> {
  const rows = await testDatabase.database.read(scope, (reader) =>
    reader.query(COUNT, [scope.accountId, scope.environment, kind]),
  );
  return rows.length > 0;
}

test('the rows of a transaction are visible after it, and only after it', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => add(tx, 'thing'));
  expect(await isThere(scope)).toBe(true);
});

test('any error of the work undoes all of it and reaches the caller unchanged', async () => {
  const scope = createTestScope();
  const trouble = new Error('the card machine is on fire');
  const work = testDatabase.database.transact(scope, async (tx) => {
    await add(tx, 'thing');
    throw trouble;
  });
  await expect(work).rejects.toBe(trouble);
  expect(await isThere(scope)).toBe(false);
});

test('work that ignores a failed statement stores nothing and is refused', async () => {
  const scope = createTestScope();
  const work = testDatabase.database.transact(scope, async (tx) => {
    await add(tx, 'thing');
    await tx.query(WRONG, []).catch(() => null);
  });
  await expect(work).rejects.toMatchObject({ name: 'Defect' });
  expect(await isThere(scope)).toBe(false);
});

test('changes that are sent with the COMMIT are stored after it, and their rows reach the caller', async () => {
  const scope = createTestScope();
  const received: unknown[] = [];
  await testDatabase.database.transact(scope, (tx) => {
    addLater(tx, 'one');
    tx.enqueue(COUNT, [scope.accountId, scope.environment, 'one'], (rows) => received.push(...rows));
    addLater(tx, 'two');
  });
  expect(received).toEqual([{ last: 1 }]);
  expect([await isThere(scope, 'one'), await isThere(scope, 'two')]).toEqual([true, true]);
});

test('a change is made before the queries after it', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, async (tx) => {
    addLater(tx, 'thing');
    expect(await tx.query(COUNT, [scope.accountId, scope.environment, 'thing'])).toEqual([{ last: 1 }]);
  });
});

test.each<[string, (tx: Tx) => unknown]>([
  ['is sent with the COMMIT', () => undefined],
  ['is sent with a query', (tx) => tx.query(ONE, [])],
  ['is settled', (tx) => tx.flush()],
])('a change that fails when it %s undoes the transaction and throws its own failure', async (_, after) => {
  const scope = createTestScope();
  const work = testDatabase.database.transact(scope, async (tx) => {
    addLater(tx, 'thing');
    addLater(tx, 'thing');
    addLater(tx, 'behind');
    await after(tx);
  });
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect([await isThere(scope), await isThere(scope, 'behind')]).toEqual([false, false]);
});

test('a statement that was first used after a failure serves the next transaction of the connection', async () => {
  const database = await testDatabase.open({ poolMax: 1 });
  const scope = createTestScope();
  const late = defineSeparateChange('late', 'select 2 as two');
  const work = database.transact(scope, (tx) => {
    tx.enqueue(WRONG, []);
    tx.enqueue(late, []);
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  expect(await database.transact(scope, (tx) => tx.query(late, []))).toEqual([{ two: 2 }]);
});

test('a change is never sent if the work fails before the next query', async () => {
  const scope = createTestScope();
  const work = testDatabase.database.transact(scope, (tx) => {
    addLater(tx, 'thing');
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(await isThere(scope)).toBe(false);
});

test.each(['transact', 'read', 'system'] as const)(
  '%s inside a transaction is refused before it can wait for itself',
  async (name) => {
    const { database } = testDatabase;
    const scope = createTestScope();
    const inner = {
      transact: () => database.transact(scope, () => Promise.resolve()),
      read: () => database.read(scope, () => Promise.resolve()),
      system: () => database.readSystem(() => Promise.resolve()),
    };
    await expect(database.transact(scope, () => inner[name]())).rejects.toMatchObject({ name: 'Defect' });
  },
);

test('code that continues after a transaction may begin another one', async () => {
  const { database } = testDatabase;
  let later: Promise<number> = Promise.resolve(0);
  await database.transact(createTestScope(), (tx) => {
    later = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
      database.transact(createTestScope(), async () => 7),
    );
    return tx.query(ONE, []);
  });
  expect(await later).toBe(7);
});

test('an ended transaction refuses queries', async () => {
  const kept: Tx[] = [];
  await testDatabase.database.transact(createTestScope(), async (tx) => void kept.push(tx));
  await expect(async () => kept[0]?.query(ONE, [])).rejects.toMatchObject({ name: 'Defect' });
});

test('the deadline ends a transaction that waits for the database, and its connection with it', async () => {
  const database = await testDatabase.open({ deadlineMs: 1_500, poolMax: 1 });
  const scope = createTestScope();
  const work = database.transact(scope, async (tx) => {
    await add(tx, 'thing');
    await tx.query(SLEEP, []);
  });
  await expect(work).rejects.toMatchObject({ name: 'Refusal', code: 'service_unavailable' });
  expect(await isThere(scope)).toBe(false);
  expect(await database.transact(scope, (tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
});

test('the deadline ends a transaction that waits for something else', async () => {
  const database = await testDatabase.open({ deadlineMs: 1_500, poolMax: 1 });
  const work = database.transact(createTestScope(), () => new Promise(() => undefined));
  await expect(work).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await database.transact(createTestScope(), (tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
});

test("the wait for another transaction's row lock is limited", async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => add(tx, 'held'));
  const impatientDatabase = await testDatabase.open({ lockTimeoutMs: 100 });
  const lock = defineStatement('lock', `${COUNT.text} for update`);
  const values = [scope.accountId, scope.environment, 'held'];
  await testDatabase.database.transact(scope, async (tx) => {
    await tx.query(lock, values);
    // Another process's client, so the guard against nesting does not apply: the test is about the row lock.
    await expect(impatientDatabase.transact(scope, (other) => other.query(lock, values))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});

test('an unreachable database is a refusal, not a defect', async () => {
  const proxy = await lossyProxy(testDatabase.url);
  const database = await testDatabase.open({ url: proxy.url, deadlineMs: 500, poolMax: 1 });
  await proxy.close();
  await expect(database.transact(createTestScope(), (tx) => tx.query(ONE, []))).rejects.toMatchObject({
    code: 'service_unavailable',
  });
});

test('a COMMIT whose answer is lost is unknown: it is not repeated, and the row is stored once', async () => {
  const proxy = await lossyProxy(testDatabase.url);
  const database = await testDatabase.open({ url: proxy.url, poolMax: 1 });
  const scope = createTestScope();
  let runs = 0;
  const work = database.transact(scope, async (tx) => {
    runs += 1;
    await add(tx, 'thing');
    proxy.loseAnswers();
  });
  await expect(work).rejects.toMatchObject({ name: 'Refusal', code: 'commit_unknown' });
  expect(runs).toBe(1);
  expect(await isThere(scope)).toBe(true);
  proxy.resumeAnswers();
  expect(await database.transact(scope, (tx) => tx.query(ONE, []))).toEqual([{ one: 1 }]);
  await proxy.close();
});

test('a change without locks whose answer is lost is unknown: it is not repeated, and the row is stored once', async () => {
  const proxy = await lossyProxy(testDatabase.url);
  const database = await testDatabase.open({ url: proxy.url, poolMax: 1 });
  const scope = createTestScope();
  let runs = 0;
  const work = database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: (tx) => {
      runs += 1;
      addLater(tx, 'thing');
      proxy.loseAnswers();
    },
  });
  await expect(work).rejects.toMatchObject({ name: 'Refusal', code: 'commit_unknown' });
  expect(runs).toBe(1);
  expect(await isThere(scope)).toBe(true);
  await proxy.close();
});

test('a COMMIT that is unanswered at the deadline is unknown, and not reported as undone', async () => {
  const proxy = await lossyProxy(testDatabase.url);
  const database = await testDatabase.open({ url: proxy.url, poolMax: 1, deadlineMs: 1_500 });
  const scope = createTestScope();
  const work = database.transact(scope, async (tx) => {
    await add(tx, 'thing');
    proxy.loseAnswers(60_000);
  });
  await expect(work).rejects.toMatchObject({ name: 'Refusal', code: 'commit_unknown' });
  expect(await isThere(scope)).toBe(true);
  await proxy.close();
});

test('TypeORM reads and locks inside the same transaction', async () => {
  const scope = createTestScope();
  const found = await testDatabase.database.transact(scope, async (tx) => {
    addLater(tx, 'thing');
    return tx.runWithManager('lock_counter', (manager) =>
      manager
        .createQueryBuilder('id_counters', 'counter')
        .setLock('pessimistic_write')
        .where('counter.account_id = :account', { account: scope.accountId })
        .getOne(),
    );
  });
  expect(found).toMatchObject({ kind: 'thing', last: 1 });
});

test('an account id that could be SQL is a defect before anything is sent', async () => {
  const scope = { accountId: `acc_x'; drop table accounts; --` as const, environment: 'sandbox' as const };
  await expect(testDatabase.database.transact(scope, (tx) => tx.query(ONE, []))).rejects.toMatchObject({
    name: 'Defect',
  });
});

test('account time is the database’s in production and the clock’s in a sandbox', async () => {
  const production = createTestScope('production');
  const sandbox = createTestScope();
  await testDatabase.database.transact(production, async (tx) => expect(tx.now).toEqual(tx.databaseNow));
  await testDatabase.database.transact(sandbox, (tx) => createSandboxClock(tx, new Date('2026-03-02T12:00:00.000Z')));
  await testDatabase.database.transact(sandbox, async (tx) => {
    expect(tx.now).toEqual(new Date('2026-03-02T12:00:00.000Z'));
    expect(tx.databaseNow.getTime()).toBeGreaterThan(tx.now.getTime() - 1e12);
  });
});

test('the same seed draws the same ids, even after undone transactions, and another account draws others', async () => {
  const scope = createTestScope();
  const run = async (): Promise<string[]> => {
    const fresh = await createTestDatabase({ seed: 'a seed' });
    const ids: string[] = [];
    await fresh.database.transact(
      scope,
      async (tx) => void ids.push(await tx.newId('event'), await tx.newId('delivery')),
    );
    await fresh.database
      .transact(scope, async (tx) => {
        await tx.newId('event');
        throw new Error('undone');
      })
      .catch(() => null);
    await fresh.database.transact(scope, async (tx) => void ids.push(await tx.newId('event'), await tx.newUuid()));
    await fresh.database.transact(createTestScope(), async (tx) => expect(ids).not.toContain(await tx.newId('event')));
    await fresh.close();
    return ids;
  };
  const first = await run();
  expect(await run()).toEqual(first);
  expect(new Set(first).size).toBe(4);
});

interface Proxy {
  readonly url: string;
  /** From now on requests pass and answers do not, until the connection is cut after this time. */
  loseAnswers(cutAfterMs?: number): void;
  resumeAnswers(): void;
  close(): Promise<void>;
}

/** A proxy to the database that can go silent in one direction, as a failing network does. */
async function lossyProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let dropsAnswers = false;
  let cutMs = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => upstream.write(bytes));
    client.on('close', () => upstream.destroy());
    upstream.on('data', (bytes) => {
      if (dropsAnswers) setTimeout(() => client.destroy(), cutMs).unref();
      else client.write(bytes);
    });
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = new URL(url);
  at.port = String((server.address() as AddressInfo).port);
  return {
    url: at.href,
    loseAnswers: (cutAfterMs = 50) => {
      dropsAnswers = true;
      cutMs = cutAfterMs;
    },
    resumeAnswers: () => void (dropsAnswers = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
