import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CardFieldsChannel } from './card-fields-channel.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const SUBMISSION = { secret: 's', customerSecret: null, details: { savePaymentMethod: true } };
const PAID = { statusCode: 0, message: 'DEPOSITED', authCode: '1', transactionId: 't' };

function createChannel() {
  const sent: Readonly<Record<string, unknown>>[] = [];
  const reported: unknown[] = [];
  const channel = new CardFieldsChannel((message) => sent.push(message), {
    onReady: () => reported.push('ready'),
    onHeight: (height) => reported.push(height),
    onEnter: () => reported.push('enter'),
    onBlur: (field) => reported.push(`blur ${field}`),
    onChange: (isComplete) => reported.push(isComplete),
  });
  return { channel, sent, reported };
}

test('a submission has the secrets and details, and ends with the answer of the same number', async () => {
  const { channel, sent } = createChannel();
  const running = [channel.submit(SUBMISSION), channel.submit({ ...SUBMISSION, customerSecret: 'cs' })];
  expect(sent).toEqual([
    { type: 'submit', id: 1, secret: 's', details: { savePaymentMethod: true } },
    { type: 'submit', id: 2, secret: 's', details: { savePaymentMethod: true }, customerSecret: 'cs' },
  ]);
  channel.receive({ type: 'result', id: 2, result: { ...PAID, statusCode: 5, cardNumber: '4' }, fields: ['cV2', 7] });
  channel.receive({ type: 'result', id: 1, result: PAID, fields: [] });
  expect(await Promise.all(running)).toEqual([
    { result: PAID, challenge: null, fields: [] },
    { result: { ...PAID, statusCode: 5 }, challenge: null, fields: ['cV2'] },
  ]);
});

test.each<[string, unknown]>([
  ['another number', { type: 'result', id: 2, result: PAID, fields: [] }],
  ['a number that is a text', { type: 'result', id: '1', result: PAID, fields: [] }],
  ['no number', { type: 'result', result: PAID, fields: [] }],
  ['no result', { type: 'result', id: 1, fields: [] }],
  ['a status that is a text', { type: 'result', id: 1, result: { ...PAID, statusCode: '0' }, fields: [] }],
  ['a status that is no whole number', { type: 'result', id: 1, result: { ...PAID, statusCode: 0.5 }, fields: [] }],
  ['another type', { type: 'RESULT', id: 1, result: PAID, fields: [] }],
  ['a text', JSON.stringify({ type: 'result', id: 1, result: PAID })],
  ['a list', [{ type: 'result', id: 1, result: PAID }]],
  ['nothing', null],
])('an altered answer with %s is ignored; without an answer the outcome is unknown', async (_, message) => {
  const { channel } = createChannel();
  const running = channel.submit(SUBMISSION);
  channel.receive(message);
  jest.advanceTimersByTime(45_000);
  expect(await running).toMatchObject({ result: { statusCode: 500 }, challenge: null });
});

test('an answer after its time, or a second one, changes nothing', async () => {
  const { channel } = createChannel();
  const running = channel.submit(SUBMISSION);
  channel.receive({ type: 'result', id: 1, result: PAID, fields: [] });
  channel.receive({ type: 'result', id: 1, result: { ...PAID, statusCode: 5 }, fields: [] });
  expect((await running).result.statusCode).toBe(0);
});

test.each([
  [{ type: 'checked', id: 1, isRight: true }, true],
  [{ type: 'checked', id: 1, isRight: false }, false],
  [{ type: 'checked', id: 1, isRight: 'yes' }, false],
  [{ type: 'checked', id: 9, isRight: false }, true],
])('the fields check themselves: %j', async (message, isRight) => {
  const { channel, sent } = createChannel();
  const running = channel.checkFields(false);
  expect(sent).toEqual([{ type: 'check', id: 1, isFocusAllowed: false }]);
  channel.receive(message);
  // Fields that do not answer must not block the payer.
  jest.advanceTimersByTime(5_000);
  expect(await running).toBe(isRight);
});

test('reports are passed on, if they have their types', () => {
  const { channel, reported } = createChannel();
  for (const message of [
    ...[
      { type: 'ready' },
      { type: 'height', height: 300 },
      { type: 'height', height: '300' },
      { type: 'height', height: -1 },
    ],
    ...[
      { type: 'enter' },
      { type: 'blur', field: 'cV2' },
      { type: 'blur', field: {} },
      { type: 'change', isComplete: 1 },
    ],
  ])
    channel.receive(message);
  expect(reported).toEqual(['ready', 300, 'enter', 'blur cV2', false]);
});
