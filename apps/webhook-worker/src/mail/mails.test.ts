import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { Scope } from '@pos/core/identity';
import { readServiceState } from '@pos/store/monitoring';
import { createId } from '@pos/core/ids';
import { buildIntent } from '@pos/core/testing';
import { postponeDueMail, sendDueMail } from '@pos/payments/receipts';
import { Secret } from '@pos/service-kit/config';
import { findMail, insertMail } from '@pos/store/repositories';
import { insertIntent } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { TimerQueue } from '@pos/store/queues';
import { SmtpMailer } from './smtp-mailer.js';
import { TestMailServer } from '../testing/test-mail-server.js';

let testDatabase: TestDatabase;
let server: TestMailServer;
let mailer: SmtpMailer;
let queue: TimerQueue;
let scope: Scope;
const givenUpMails: object[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  queue = new TimerQueue(testDatabase.database);
});
afterAll(() => testDatabase.close());
beforeEach(async () => {
  server = await TestMailServer.open();
  const from = 'The Corner <receipts@corner.example>';
  mailer = new SmtpMailer({ url: new Secret(server.url), from, certificateAuthority: null });
  scope = { ...createTestScope(), environment: 'production' };
  givenUpMails.length = 0;
});
afterEach(() => {
  mailer.close();
  server.close();
});

const PAYER_ADDRESS = 'guest@example.com';

/** Creates a mail that is due now; returns its id. */
async function createMail(of: Scope = scope): Promise<string> {
  return testDatabase.database.transact(of, async (tx) => {
    const intent = { ...buildIntent(), id: createId('paymentIntent', of.environment, randomBytes(16)) };
    await insertIntent(tx, { intent, events: [], entries: [], webhookEvents: [], transactions: [] });
    const mail = { subject: 'Your receipt from Café Zoë', text: 'Total: 12.50 GBP\n', html: '<b>Total</b>' };
    await insertMail(tx, { ...mail, recipient: PAYER_ADDRESS, paymentIntentId: intent.id });
    const [row] = await tx.query<{ id: string }>(FIND_LAST_MAIL, [of.accountId, of.environment]);
    return row!.id;
  });
}
const FIND_LAST_MAIL = defineStatement('test_last', 'select id from mails where account_id = $1 and environment = $2');
const MAKE_DUE = defineStatement(
  'test_now',
  `update timers set due_at = clock_timestamp() - interval '1 second' where account_id = $1 and environment = $2 and kind = 'mail'
   returning subject`,
);

/** Makes one attempt at every due mail, as a worker does. Returns their number. */
async function sendDueMails(): Promise<number> {
  const claimed = await queue.claim(scope, ['mail'], { limit: 10, leaseMs: 30_000 });
  const gaveUp = (mail: object): void => void givenUpMails.push(mail);
  for (const each of claimed)
    await sendDueMail({ database: testDatabase.database, queue, mailer, onGivenUp: gaveUp }, each);
  return claimed.length;
}

/** Ends the pause before the next attempt. */
const makeMailDue = () =>
  testDatabase.database.transact(scope, (tx) => tx.query(MAKE_DUE, [scope.accountId, scope.environment]));
const readMailState = async (id: string) => {
  const mail = await testDatabase.database.read(scope, (reader) => findMail(reader, id));
  return `${mail!.state} ${mail!.attempts}`;
};

test('a mail of production is sent to the server once, to its one recipient', async () => {
  const id = await createMail();
  expect([await sendDueMails(), await sendDueMails()]).toEqual([1, 0]);
  expect(server.receivedMails).toMatchObject([{ from: 'receipts@corner.example', to: [PAYER_ADDRESS] }]);
  const { raw } = server.receivedMails[0]!;
  expect(raw).toContain(`Message-ID: <${id}@corner.example>`);
  expect(raw).toContain('From: The Corner <receipts@corner.example>');
  expect(raw).toContain(`To: ${PAYER_ADDRESS}`);
  expect(raw).toContain('Total: 12.50 GBP');
  expect(await readMailState(id)).toBe('Sent 0');
});

test('no mail of a sandbox is ever due', async () => {
  scope = createTestScope();
  const id = await createMail();
  expect([await sendDueMails(), await readMailState(id), server.receivedMails]).toEqual([0, 'Mailbox 0', []]);
});

test.each([
  ['hangs up at the greeting', 'EHLO', 'hang up'],
  ['is too busy', 'MAIL', '451 later'],
  ['refuses the recipient temporarily', 'RCPT', '450 later'],
  ['hangs up when it has the mail', 'the mail', 'hang up'],
  ['has a full disk', 'the mail', '452 later'],
])('while the server %s the mail waits, and goes out later under the same id', async (_title, at, answer) => {
  const id = await createMail();
  server.replyOverride = (command) => (command.startsWith(at) ? answer : null);
  expect([await sendDueMails(), await sendDueMails(), await readMailState(id)]).toEqual([1, 0, 'Waiting 1']);
  server.replyOverride = () => null;
  await makeMailDue();
  expect([await sendDueMails(), await readMailState(id)]).toEqual([1, 'Sent 1']);
  expect(server.receivedMails.map(({ raw }) => /Message-ID: <([^@]+)/.exec(raw)?.[1])).toEqual([id]);
});

test.each([
  ['the recipient', 'RCPT', '550 no such user'],
  ['the mail', 'the mail', '554 looks like spam'],
])('a server that refuses %s for good gets no second attempt', async (_title, at, answer) => {
  const id = await createMail();
  server.replyOverride = (command) => (command.startsWith(at) ? answer : null);
  expect([await sendDueMails(), await readMailState(id)]).toEqual([1, 'GivenUp 1']);
  await makeMailDue();
  expect([await sendDueMails(), server.receivedMails]).toEqual([0, []]);
  expect(givenUpMails).toEqual([{ id, attempts: 1, reason: `answered ${answer.slice(0, 3)}` }]);
});

test('a mail to a server that stays away is retried for some days, then given up and reported', async () => {
  const id = await createMail();
  server.close();
  let attempts = 0;
  while ((await sendDueMails()) > 0) {
    attempts += 1;
    await makeMailDue();
  }
  expect([attempts, await readMailState(id)]).toEqual([13, 'GivenUp 13']);
  expect(JSON.stringify(givenUpMails)).toBe(`[{"id":"${id}","attempts":13,"reason":"ESOCKET"}]`);
});

describe('at a worker without a mail server', () => {
  /** Handles every due mail, and returns in how many seconds each is due again. */
  async function postponeDueMails(): Promise<number[]> {
    const claimed = await queue.claim(scope, ['mail'], { limit: 10, leaseMs: 30_000 });
    const onGivenUp = (mail: object): void => void givenUpMails.push(mail);
    for (const each of claimed) await postponeDueMail({ database: testDatabase.database, queue, onGivenUp }, each);
    const rows = await testDatabase.database.read(scope, (reader) =>
      reader.query<{ in_s: number }>(DUE_IN, [scope.accountId, scope.environment]),
    );
    return rows.map(({ in_s }) => Math.round(in_s / 10) * 10);
  }
  const age = (id: string, days: number) =>
    testDatabase.database.transact(scope, (tx) => tx.query(MAKE_OLD, [scope.accountId, id, days]));
  const listDueKinds = async () =>
    (await readServiceState(testDatabase.database)).counts.filter(({ subject }) => subject === 'timer.due');

  test('a due mail is put off, longer each time, and counts as no overdue deadline', async () => {
    const id = await createMail();
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      waits.push(...(await postponeDueMails()));
      expect(await listDueKinds()).toEqual([]);
      await makeMailDue();
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect(await readMailState(id)).toBe('Waiting 0');
    expect(await sendDueMails()).toBe(1);
    expect(await readMailState(id)).toBe('Sent 0');
  });

  test.each([
    ['a receipt', 29, 31, () => createMail()],
    ['a notice to a user of the portal', 0.9, 1.1, createNotice],
  ])('%s that is %d days old waits, and after %d days it is given up', async (_, young, old, create) => {
    const id = await create();
    await age(id, young);
    expect([await postponeDueMails(), givenUpMails]).toEqual([[60], []]);
    await age(id, old - young);
    await makeMailDue();
    expect([await postponeDueMails(), await readMailState(id)]).toEqual([[], 'GivenUp 0']);
    expect(givenUpMails).toEqual([{ id, attempts: 0, reason: 'no mail server is configured' }]);
  });

  test('the deadline of a mail that was deleted ends', async () => {
    const id = await createMail();
    await testDatabase.database.transact(scope, (tx) => tx.query(DELETE_MAIL, [scope.accountId, id]));
    expect(await postponeDueMails()).toEqual([]);
  });

  async function createNotice(): Promise<string> {
    scope = SYSTEM_SCOPE;
    return testDatabase.database.transact(scope, async (tx) => {
      const mail = { subject: 'Your password was changed', text: 'At noon\n', html: '<b>At noon</b>' };
      await insertMail(tx, { ...mail, recipient: 'ann@corner.example', paymentIntentId: null });
      const [row] = await tx.query<{ id: string }>(FIND_LAST_MAIL, [scope.accountId, scope.environment]);
      return row!.id;
    });
  }
});
const DUE_IN = defineStatement(
  'test_due_in',
  `select extract(epoch from due_at - clock_timestamp())::float8 as in_s from timers
   where account_id = $1 and environment = $2 and kind = 'mail'`,
);
const MAKE_OLD = defineStatement(
  'test_old',
  `update mails set created_at = created_at - $3 * interval '1 day' where account_id = $1 and id = $2 returning id`,
);
const DELETE_MAIL = defineStatement('test_delete', 'delete from mails where account_id = $1 and id = $2 returning id');
