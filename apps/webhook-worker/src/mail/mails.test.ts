import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { newId } from '@pos/core/ids';
import { createdIntent } from '@pos/core/testing';
import { sendDueMail } from '@pos/payments/mail-work';
import { Secret } from '@pos/service-kit/secret';
import { findMail, insertMail } from '@pos/store/mails';
import { insertIntent } from '@pos/store/payment-intents';
import { defineStatement } from '@pos/store/statement';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { TimerQueue } from '@pos/store/timers';
import { SmtpMailer } from './smtp.js';
import { MailServer } from './testing.js';

let place: TestDatabase;
let server: MailServer;
let mailer: SmtpMailer;
let queue: TimerQueue;
let scope: Scope;
const given: object[] = [];

beforeAll(async () => {
  place = await createTestDatabase();
  queue = new TimerQueue(place.database);
});
afterAll(() => place.close());
beforeEach(async () => {
  server = await MailServer.open();
  mailer = new SmtpMailer({ url: new Secret(server.url), from: 'The Corner <receipts@corner.example>' });
  scope = { ...createTestScope(), environment: 'production' };
  given.length = 0;
});
afterEach(() => {
  mailer.close();
  server.close();
});

const GUEST = 'guest@example.com';

/** A mail that is due now; returns its id. */
async function written(of: Scope = scope): Promise<string> {
  return place.database.transact(of, async (tx) => {
    const intent = { ...createdIntent(), id: newId('paymentIntent', of.environment, randomBytes(16)) };
    await insertIntent(tx, { intent, events: [], entries: [], tells: [], transactions: [] });
    const mail = { subject: 'Your receipt from Café Zoë', text: 'Total: 12.50 GBP\n', html: '<b>Total</b>' };
    await insertMail(tx, { ...mail, recipient: GUEST, paymentIntentId: intent.id });
    const [row] = await tx.query<{ id: string }>(LAST, [of.accountId, of.environment]);
    return row!.id;
  });
}
const LAST = defineStatement('test_last', 'select id from mails where account_id = $1 and environment = $2');
const NOW = defineStatement(
  'test_now',
  `update timers set due_at = clock_timestamp() - interval '1 second' where account_id = $1 and environment = $2 and kind = 'mail'
   returning subject`,
);

/** As a worker does: one attempt at whatever is due. Returns how many mails were. */
async function work(): Promise<number> {
  const claimed = await queue.claim(scope, ['mail'], { limit: 10, leaseMs: 30_000 });
  const gaveUp = (mail: object): void => void given.push(mail);
  for (const each of claimed) await sendDueMail({ database: place.database, queue, mailer, onGivenUp: gaveUp }, each);
  return claimed.length;
}

/** Lets the pause until the next attempt be over. */
const wait = () => place.database.transact(scope, (tx) => tx.query(NOW, [scope.accountId, scope.environment]));
const stateOf = async (id: string) => {
  const mail = await place.database.read(scope, (reader) => findMail(reader, id));
  return `${mail!.state} ${mail!.attempts}`;
};

test('a mail of production goes to the server once, to its one recipient', async () => {
  const id = await written();
  expect([await work(), await work()]).toEqual([1, 0]);
  expect(server.taken).toMatchObject([{ from: 'receipts@corner.example', to: [GUEST] }]);
  const { raw } = server.taken[0]!;
  expect(raw).toContain(`Message-ID: <${id}@corner.example>`);
  expect(raw).toContain('From: The Corner <receipts@corner.example>');
  expect(raw).toContain(`To: ${GUEST}`);
  expect(raw).toContain('Total: 12.50 GBP');
  expect(await stateOf(id)).toBe('Sent 0');
});

test('nothing of a sandbox is ever due', async () => {
  scope = createTestScope();
  const id = await written();
  expect([await work(), await stateOf(id), server.taken]).toEqual([0, 'Mailbox 0', []]);
});

test.each([
  ['hangs up at the greeting', 'EHLO', 'hang up'],
  ['is too busy', 'MAIL', '451 later'],
  ['knows the recipient but not now', 'RCPT', '450 later'],
  ['hangs up when it has the mail', 'the mail', 'hang up'],
  ['has a full disk', 'the mail', '452 later'],
])('while the server %s the mail waits, and goes out later under the same id', async (_says, at, answer) => {
  const id = await written();
  server.whim = (command) => (command.startsWith(at) ? answer : null);
  expect([await work(), await work(), await stateOf(id)]).toEqual([1, 0, 'Waiting 1']);
  server.whim = () => null;
  await wait();
  expect([await work(), await stateOf(id)]).toEqual([1, 'Sent 1']);
  expect(server.taken.map(({ raw }) => /Message-ID: <([^@]+)/.exec(raw)?.[1])).toEqual([id]);
});

test.each([
  ['the recipient', 'RCPT', '550 no such user'],
  ['the mail', 'the mail', '554 looks like spam'],
])('a server that refuses %s for good is not asked again', async (_says, at, answer) => {
  const id = await written();
  server.whim = (command) => (command.startsWith(at) ? answer : null);
  expect([await work(), await stateOf(id)]).toEqual([1, 'GivenUp 1']);
  await wait();
  expect([await work(), server.taken]).toEqual([0, []]);
  expect(given).toEqual([{ id, attempts: 1, reason: `answered ${answer.slice(0, 3)}` }]);
});

test('a server that stays away is asked for some days, and then the mail is given up and said so', async () => {
  const id = await written();
  server.close();
  let attempts = 0;
  while ((await work()) > 0) {
    attempts += 1;
    await wait();
  }
  expect([attempts, await stateOf(id)]).toEqual([13, 'GivenUp 13']);
  expect(JSON.stringify(given)).toBe(`[{"id":"${id}","attempts":13,"reason":"ESOCKET"}]`);
});
