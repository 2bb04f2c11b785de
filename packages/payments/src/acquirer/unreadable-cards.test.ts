import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import {
  AcquirerServiceService,
  type CardSummary,
  type InquireRequest,
  Outcome,
  Result,
} from '@pos/grpc-contracts/acquirer';
import { AcquirerClient } from './acquirer-client.js';
import { createUnreadableCardReporter } from './unreadable-cards.js';

const NUMBER = '4456530000091014';
const lines: unknown[][] = [];
let server: Server;
let client: AcquirerClient;
let card: Partial<CardSummary> | undefined;
/** The reference that the acquirer answers with; null: the one that it was asked by. */
let echo: string | null;
let address: string;

beforeAll(async () => {
  server = new Server();
  const inquire = (call: ServerUnaryCall<InquireRequest, unknown>, answer: sendUnaryData<unknown>): void => {
    const reference = echo ?? call.request.reference;
    const result = Result.fromPartial({
      ...{ reference, transactionId: 'tx', authCode: '1', amount: 2_000n, currency: 'GBP', card },
      ...{ outcome: Outcome.OUTCOME_APPROVED, processedAt: new Date(0) },
    });
    answer(null, { result });
  };
  server.addService({ inquire: AcquirerServiceService.inquire }, { inquire });
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const reportCard = createUnreadableCardReporter({ warn: (event, fields) => lines.push([event, fields]) });
  address = `127.0.0.1:${port}`;
  client = new AcquirerClient(address, { reportCard });
});
beforeEach(() => {
  lines.length = 0;
  echo = null;
});
afterAll(() => {
  client.close();
  server.forceShutdown();
});

test.each([
  [{ maskedNumber: NUMBER, last4Pan: '1014' }, 'the masked number hides no digit'],
  [{ maskedNumber: '', last4Pan: '1014' }, 'the masked number is missing'],
  [{ maskedNumber: '44565300****1014', last4Pan: '1015' }, 'the masked number ends in other digits'],
  [{ maskedNumber: '44565300****1014', last4Pan: NUMBER }, 'the last digits are not four digits'],
  [{ maskedNumber: 'VISA ending in 1014', last4Pan: '1014' }, 'the masked number has no form that is known'],
])('a card that is shown as %j is logged once, and its approval is kept', async (sent, reason) => {
  card = sent;
  const reference = `r-${reason}`;
  for (let times = 0; times < 3; times += 1) {
    expect(await client.inquire({ reference, deadlineMs: 10_000 })).toMatchObject({ outcome: 'approved' });
  }
  expect(lines).toEqual([['acquirer.card_unreadable', { acquirer_reference: reference, reason }]]);
  expect(JSON.stringify(lines)).not.toMatch(/\d{4}/);
});

test.each([
  ['a readable mask', { maskedNumber: '445653******1014', last4Pan: '1014' }],
  ['a readable mask with a NUL', { maskedNumber: '445653\0******1014', last4Pan: '1014\0' }],
  ['no card', undefined],
])('of %s nothing is logged', async (_, sent) => {
  card = sent;
  await client.inquire({ reference: 'r-1', deadlineMs: 10_000 });
  expect(lines).toEqual([]);
});

test('a card that is unreadable at each of two calls is logged for both', async () => {
  card = { maskedNumber: '', last4Pan: '' };
  for (const reference of ['r-2', 'r-3', 'r-2']) await client.inquire({ reference, deadlineMs: 10_000 });
  expect(lines).toHaveLength(2);
});

test.each([NUMBER, '', 'r-3', 'x'.repeat(10_000)])(
  'it is logged under our reference, and not under another that the acquirer answers with',
  async (sent) => {
    card = { maskedNumber: '', last4Pan: '' };
    echo = sent;
    const reference = `ours ${sent.length}`;
    expect(await client.inquire({ reference, deadlineMs: 10_000 })).toMatchObject({ outcome: 'approved' });
    expect(lines).toMatchObject([['acquirer.card_unreadable', { acquirer_reference: reference }]]);
  },
);

test('an approval stays one when it cannot be logged that its card is unreadable', async () => {
  card = { maskedNumber: '', last4Pan: '' };
  const mute = new AcquirerClient(address, {
    reportCard: () => {
      throw new Error('the log is full');
    },
  });
  expect(await mute.inquire({ reference: 'r-4', deadlineMs: 10_000 })).toMatchObject({ outcome: 'approved' });
  mute.close();
});
