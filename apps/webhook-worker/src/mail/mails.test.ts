import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Scope } from '@pos/core/identity/identity';
import { createId } from '@pos/core/identity/ids';
import { buildIntent } from '@pos/core/testing/builders';
import { sendDueMail } from '@pos/payments/receipts/mail-sender';
import { Secret } from '@pos/service-kit/config/secret';
import { findMail, insertMail } from '@pos/store/repositories/mails';
import { insertIntent } from '@pos/store/payments/payment-intents';
import { defineStatement } from '@pos/store/postgres/statement';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing/test-database';
import { TimerQueue } from '@pos/store/queues/timers';
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
