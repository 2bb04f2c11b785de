import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
/** A captured payment; every request for a receipt of it is refused. */
let silent: string;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  silent = await testEnvironment.createIntentIn('Captured');
});
afterAll(() => testEnvironment.close());

const sendReceipt = (id: string, body: unknown, key: string | null = null) =>
  testEnvironment.sendRequest('POST', `/payment-intents/${id}/receipt`, { body, headers: { idempotencyKey: key } });

interface Mail {
  readonly paymentIntentId: string;
  readonly to: string;
  readonly text: string;
  readonly html: string;
  readonly [member: string]: unknown;
}

async function readMailbox(query = '?limit=100', key?: string) {
  const answer = await testEnvironment.sendRequest('GET', `/sandbox/mailbox${query}`, key === undefined ? {} : { key });
  const { data, before, after } = parseJson(answer);
  return { data: data as Mail[], before, after };
}
const listMails = async (id: string) =>
  (await readMailbox()).data.filter(({ paymentIntentId }) => paymentIntentId === id);
const listEvents = (id: string) =>
  testEnvironment.queryRows<{ body: Buffer }>(
    `select body from events where subject_id = $1 and kind = 'payment_intent.send-receipt'`,
    [id],
  );

test('each address gets the customer’s copy once, and the request publishes one event', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  const emails = ['guest@example.com', "o'neill+zoe@sub.example.co.uk", 'Guest@Example.com'];
  const answers = [await sendReceipt(id, { emails }, 'once'), await sendReceipt(id, { emails }, 'once')];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  const mails = await listMails(id);
  expect(mails.map(({ to }) => to.toLowerCase()).sort()).toEqual([
    'guest@example.com',
    "o'neill+zoe@sub.example.co.uk",
  ]);
  expect(mails[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    paymentIntentId: id,
    to: expect.any(String),
    subject: 'Your receipt from The Corner Table',
    text: expect.stringContaining('Total: 20.00 GBP'),
    html: expect.stringContaining('Total: 20.00 GBP'),
    createdAt: expect.stringMatching(/Z$/),
  });
  expect(mails[0]?.text).toContain('CUSTOMER COPY');
  // The mail contains no more of a card than its last four digits.
  expect(mails[0]?.text).not.toMatch(/\d{6,}\**\d*1096|\d{8}\*/);
  const published = await listEvents(id);
  expect(published.map(({ body }) => (JSON.parse(body.toString('utf8')) as { data: unknown }).data)).toEqual([
    { paymentIntentId: id, paymentStatus: 'Captured', captureMode: 'Auto' },
  ]);
});

test.each(['Authorized', 'Captured', 'Reversed', 'Refunded'] as const)('a %s payment has a receipt', async (status) => {
  const id = await testEnvironment.createIntentIn(status);
  expect((await sendReceipt(id, { emails: ['guest@example.com'] })).status).toBe(204);
  const [mail] = await listMails(id);
  expect(mail?.text.includes('REVERSED')).toBe(status === 'Reversed');
  expect(mail?.text.includes('Refunded since: 20.00 GBP')).toBe(status === 'Refunded');
});

test.each(['Created', 'Canceled'] as const)(
  'a %s payment has no receipt: 409, no mail and no event',
  async (status) => {
    const id = await testEnvironment.createIntentIn(status);
    expect(parseProblem(await sendReceipt(id, { emails: ['guest@example.com'] })).status).toBe(409);
    expect([await listMails(id), await listEvents(id)]).toEqual([[], []]);
  },
);

const createAddresses = (count: number) => Array.from({ length: count }, (_, at) => `guest${at}@example.com`);

// oxfmt-ignore
test.each<[string, unknown, string[]]>([
  ['no list', {}, ['emails']],
  ['an empty list', { emails: [] }, ['emails']],
  ['a text in place of a list', { emails: 'guest@example.com' }, ['emails']],
  ['eleven addresses', { emails: createAddresses(11) }, ['emails']],
  ['no address', { emails: ['guest@example.com', 'nobody'] }, ['emails[1]']],
  ['a number', { emails: ['guest@example.com', 7] }, ['emails[1]']],
  ['a header in an address', { emails: ['guest@example.com', 'a@b.example\r\nBcc: c@d.example'] }, ['emails[1]']],
  ['a line feed at the end', { emails: ['guest@example.com', 'a@b.example\n'] }, ['emails[1]']],
  ['two addresses in one', { emails: ['guest@example.com', 'a@b.example,c@d.example'] }, ['emails[1]']],
  ['a name with an address', { emails: ['guest@example.com', 'Ada <a@b.example>'] }, ['emails[1]']],
  ['an address in brackets', { emails: ['guest@example.com', '<a@b.example>'] }, ['emails[1]']],
  ['a quoted local part', { emails: ['guest@example.com', '"a b"@b.example'] }, ['emails[1]']],
  ['a route', { emails: ['guest@example.com', '@x.example:a@b.example'] }, ['emails[1]']],
  ['an address literal', { emails: ['guest@example.com', 'root@[127.0.0.1]'] }, ['emails[1]']],
  ['a host without a domain', { emails: ['guest@example.com', 'root@localhost'] }, ['emails[1]']],
  ['a letter beyond ASCII', { emails: ['guest@example.com', 'zoë@b.example'] }, ['emails[1]']],
  ['a hidden character', { emails: ['guest@example.com', 'a\u0007@b.example'] }, ['emails[1]']],
  ['an address that is too long', { emails: ['guest@example.com', `${'a'.repeat(243)}@b.example.com`] }, ['emails[1]']],
  ['two that are wrong', { emails: ['nobody', 'guest@example.com', ''] }, ['emails[0]', 'emails[2]']],
])('a receipt for %s: 400, and nothing is mailed', async (_title, body, members) => {
  const answer = await sendReceipt(silent, body);
  expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
  expect(await listMails(silent)).toEqual([]);
});

test('the mailbox is read in pages, by its own account only, and production has none', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  await sendReceipt(id, { emails: createAddresses(10) });
  const first = await readMailbox('?limit=3');
  const second = await readMailbox(`?limit=3&after=${String(first.after)}`);
  const whole = (await readMailbox()).data.map(({ to }) => to);
  expect([...first.data, ...second.data].map(({ to }) => to)).toEqual(whole.slice(0, 6));
  expect((await readMailbox(`?limit=3&before=${String(second.before)}`)).data).toEqual(first.data);
  expect((await readMailbox('', testEnvironment.keys.foreign)).data).toEqual([]);
  const production = await testEnvironment.sendRequest('GET', '/sandbox/mailbox', {
    key: testEnvironment.keys.production,
  });
  expect(production.status).toBe(404);
  const both = await testEnvironment.sendRequest('GET', '/sandbox/mailbox?before=a&after=b');
  expect([both.status, Object.keys(parseProblem(both).errors)]).toEqual([400, ['before']]);
});
