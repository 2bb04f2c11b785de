import { expect, test } from '@jest/globals';
import { type FrameConnections, type FrameFields, FrameSession } from './frame-session.js';

type Answer = Awaited<ReturnType<FrameConnections['pay']>>;

const CARD = { cardNumber: '4456 5300 0009 1014', cardName: 'A Guest', expiryDate: '12/32', cV2: '020' };
const PAID: Answer = { statusCode: 0, message: 'DEPOSITED', authCode: '204711', transactionId: 't' };
const SUBMISSION = { type: 'submit', id: 1, secret: 's', details: { emailAddress: 'guest@example.com' } };

interface Setting {
  readonly values?: Readonly<Record<string, string>>;
  readonly wrong?: readonly string[];
  readonly pay?: FrameConnections['pay'];
}

/** A session between recorded fields, a page and a vault. */
function openSession({ values = CARD, wrong = [], pay = () => Promise.resolve(PAID) }: Setting = {}) {
  const steps: unknown[][] = [];
  const published: Record<string, unknown>[] = [];
  const record =
    (name: string) =>
    (...words: unknown[]): void =>
      void steps.push([name, ...words]);
  const fields: FrameFields = {
    markWrong: (isFocusAllowed) => (record('markWrong')(isFocusAllowed), wrong),
    markRefused: record('markRefused'),
    isComplete: () => true,
    readValues: () => values,
    setDisabled: record('setDisabled'),
    clear: record('clear'),
    focusFirst: record('focusFirst'),
    applyLook: record('applyLook'),
    fillTestCard: record('fillTestCard'),
  };
  const session = new FrameSession(fields, {
    publish: (message) => void published.push({ ...message }),
    pay: (secrets, body) => {
      record('pay')(secrets.secret, body);
      if (secrets.customerSecret !== null) record('customer')(secrets.customerSecret);
      return pay(secrets, body);
    },
    isSecretAllowed: (secret) => secret !== 'secret of another payment',
    showDevice: (secret, cardNumber) => {
      record('showDevice')(secret, cardNumber);
      return Promise.resolve();
    },
  });
  const stepsOf = (name: string): unknown[][] => steps.filter(([each]) => each === name).map(([, ...words]) => words);
  return { session, published, stepsOf };
}

test('pays with the fields and the details of the page, and sends the page no value of a field', async () => {
  const { session, published, stepsOf } = openSession();
  await session.handleMessage(SUBMISSION);
  expect(stepsOf('showDevice')).toEqual([['s', CARD.cardNumber]]);
  expect(stepsOf('pay')).toEqual([['s', { ...CARD, emailAddress: 'guest@example.com' }]]);
  expect(published).toMatchObject([{ type: 'result', id: 1, result: { statusCode: 0 }, fields: [] }]);
  expect(JSON.stringify(published)).not.toMatch(/4456|"020"|A Guest/);
  expect([stepsOf('setDisabled'), stepsOf('clear')]).toEqual([[[true], [false]], [[true]]]);
});

test('values of fields win over details of the same name', async () => {
  const { session, stepsOf } = openSession();
  await session.handleMessage({ ...SUBMISSION, details: { cardNumber: '1', cV2: '1' } });
  expect(stepsOf('pay')).toEqual([['s', CARD]]);
});

test.each([
  ['the secret of another payment', { secret: 'secret of another payment' }, 401],
  ['no secret', { secret: undefined }, 404],
  ['a secret that is no text', { secret: ['s'] }, 404],
])('with %s nothing is sent, and no field is read', async (_, change, statusCode) => {
  const { session, published, stepsOf } = openSession();
  await session.handleMessage({ ...SUBMISSION, ...change });
  expect([stepsOf('pay'), stepsOf('showDevice'), stepsOf('setDisabled')]).toEqual([[], [], []]);
  expect(published).toMatchObject([{ type: 'result', id: 1, result: { statusCode }, fields: [] }]);
});

test.each([
  ['a text', 'cs_1', [['cs_1']]],
  ['missing', undefined, []],
  ['no text', 7, []],
])('the secret of the customer goes to the vault only if it is a text: %s', async (_, customerSecret, sent) => {
  const { session, published, stepsOf } = openSession({ values: { cV2: '020' } });
  await session.handleMessage({ ...SUBMISSION, customerSecret });
  expect(stepsOf('customer')).toEqual(sent);
  expect(JSON.stringify(published)).not.toContain('cs_1');
});

test('sends nothing while a field is wrong, and names it', async () => {
  const { session, published, stepsOf } = openSession({ wrong: ['cV2'] });
  await session.handleMessage(SUBMISSION);
  expect([stepsOf('pay'), stepsOf('showDevice')]).toEqual([[], []]);
  expect(published).toMatchObject([{ result: { statusCode: 400 }, fields: ['cV2'] }]);
});

test('marks each field that the vault refuses', async () => {
  const pay = () => Promise.resolve({ ...PAID, statusCode: 400, errors: { cardNumber: ['x'], emailAddress: ['x'] } });
  const { session, published, stepsOf } = openSession({ pay });
  await session.handleMessage(SUBMISSION);
  expect(stepsOf('markRefused')).toEqual([[['cardNumber', 'emailAddress']]]);
  expect(published).toMatchObject([{ result: { statusCode: 400 }, fields: ['cardNumber', 'emailAddress'] }]);
});

test('reports a vault that never answers as unknown, and can be submitted again', async () => {
  const { session, published, stepsOf } = openSession({ pay: () => Promise.reject(new Error('timeout')) });
  await session.handleMessage(SUBMISSION);
  await session.handleMessage({ ...SUBMISSION, id: 2 });
  expect(published.map(({ id, result }) => [id, (result as Answer).statusCode])).toEqual([
    [1, 500],
    [2, 500],
  ]);
  expect(stepsOf('setDisabled').at(-1)).toEqual([false]);
});

test('answers a second submission while one is running, and pays once', async () => {
  let finish: (answer: Answer) => void = () => undefined;
  const { session, published, stepsOf } = openSession({ pay: () => new Promise((resolve) => (finish = resolve)) });
  const first = session.handleMessage(SUBMISSION);
  await session.handleMessage({ ...SUBMISSION, id: 2 });
  expect(published).toMatchObject([{ id: 2, result: { statusCode: 500 } }]);
  finish(PAID);
  await first;
  expect(published).toMatchObject([{ id: 2 }, { id: 1, result: { statusCode: 0 } }]);
  expect(stepsOf('pay')).toHaveLength(1);
});

test('of a saved card shows no device, because it has no number', async () => {
  const { session, stepsOf } = openSession({ values: { cV2: '020' } });
  await session.handleMessage({ ...SUBMISSION, details: { paymentMethodId: 'pm_1' } });
  expect(stepsOf('showDevice')).toEqual([]);
  expect(stepsOf('pay')).toEqual([['s', { paymentMethodId: 'pm_1', cV2: '020' }]]);
});

test.each([
  [{ type: 'hello', language: 'de' }, 'applyLook', [{ type: 'ready', isComplete: true }]],
  [{ type: 'check', id: 7, isFocusAllowed: false }, 'markWrong', [{ type: 'checked', id: 7, isRight: true }]],
  [{ type: 'focus' }, 'focusFirst', []],
  [{ type: 'fill-test-card', name: 'approved' }, 'fillTestCard', []],
])('the message %j calls %s', async (message, step, answers) => {
  const { session, published, stepsOf } = openSession();
  await session.handleMessage(message);
  expect(stepsOf(step)).toHaveLength(1);
  expect(published).toEqual(answers);
});

test.each([[{}], [{ type: 'pay' }], [{ type: null }], [{ type: 'SUBMIT', id: 1, secret: 's' }]])(
  'ignores the unknown message %j',
  async (message) => {
    const { session, published, stepsOf } = openSession();
    await session.handleMessage(message);
    expect([published, stepsOf('pay')]).toEqual([[], []]);
  },
);
