import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { CardNumber, createPendingCard, Cv2 } from '@pos/core/cards';
import { parseKnownId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import {
  AcquirerServiceService,
  type AuthoriseRequest,
  type CardSummary,
  Outcome,
  Result,
} from '@pos/grpc-contracts/acquirer';
import { CardAcquirerClient } from './card-acquirer-client.js';

const NUMBER = CardNumber.read('4456530000091014')!;
const CARD = createPendingCard({
  ...{ id: parseKnownId('paymentMethod', 'pm_AAAAAAAAAAAAAAAAAAAAAA'), customerId: null, setupIntentId: null },
  acquirerReference: 'the-payment-that-brought-it',
  now: new Date(0),
  card: {
    ...{ maskedNumber: NUMBER.masked, last4: '1014', scheme: 'VISA' },
    ...{ expiryMonth: 12, expiryYear: 2032, cardholderName: 'A GUEST' },
  },
});
const REQUEST = {
  ...{ reference: 'r-1', merchantId: 'm-1', amount: money(2_000, 'GBP'), isCapturing: true },
  deadlineMs: 10_000,
};
const PAYER = {
  cv2: Cv2.read('020')!,
  billing: { line: '1 High Street', postcode: 'BS1 1AA' },
  device: { userAgent: 'a browser', ipAddress: '192.0.2.7' },
  isCardholderAbsent: false,
  isChallengePossible: true,
};
const SHOWN = {
  line: '1 High Street',
  postcode: 'BS1 1AA',
  userAgent: 'a browser',
  ipAddress: '192.0.2.7',
  cv2: '020',
};

const receivedRequests: AuthoriseRequest[] = [];
const APPROVED = {
  ...{ outcome: Outcome.OUTCOME_APPROVED, transactionId: 'tx', authCode: '1', amount: 2_000n, currency: 'GBP' },
  processedAt: new Date(0),
};
const unreadableCards: unknown[][] = [];
let visible: Partial<CardSummary> | null = null;
let server: Server;
let acquirer: CardAcquirerClient;

beforeAll(async () => {
  const started = await startAcquirer();
  server = started.server;
  acquirer = new CardAcquirerClient(`127.0.0.1:${started.port}`, {
    reportCard: (...about) => unreadableCards.push(about),
  });
});
afterAll(() => {
  acquirer.close();
  server.forceShutdown();
});

async function startAcquirer(address = '127.0.0.1:0'): Promise<{ readonly server: Server; readonly port: number }> {
  const started = new Server();
  const authorise = (call: ServerUnaryCall<AuthoriseRequest, unknown>, answer: sendUnaryData<unknown>): void => {
    receivedRequests.push(call.request);
    if (visible === null) answer({ code: status.UNAVAILABLE });
    else
      answer(null, { result: Result.fromPartial({ ...APPROVED, reference: call.request.reference, card: visible }) });
  };
  started.addService({ authorise: AcquirerServiceService.authorise }, { authorise });
  const port = await bindGrpcServer(started, address, ServerCredentials.createInsecure());
  return { server: started, port };
}

test.each([
  [
    'a saved card that its payer chose sends the payer’s data to the issuer',
    { isCustomerInitiated: true, payer: PAYER },
    { ...SHOWN, isAbsent: false, noChallenge: false },
  ],
  [
    'a saved card in a telephone order marks the payer as absent',
    { isCustomerInitiated: true, payer: { ...PAYER, isCardholderAbsent: true, isChallengePossible: false } },
    { ...SHOWN, isAbsent: true, noChallenge: true },
  ],
  [
    'a charge of the merchant sends no payer data',
    { isCustomerInitiated: false, payer: null },
    { line: '', postcode: '', userAgent: '', ipAddress: '', cv2: '', isAbsent: false, noChallenge: true },
  ],
])('%s', async (_, who, visible) => {
  await acquirer.chargeStoredCard({ ...REQUEST, ...who }, { card: CARD, number: NUMBER });
  const request = receivedRequests.at(-1);
  expect({
    line: request?.billingAddressLine,
    postcode: request?.billingPostcode,
    userAgent: request?.userAgent,
    ipAddress: request?.ipAddress,
    cv2: request?.instrument?.$case === 'storedCard' ? request.instrument.value.cv2 : null,
    isAbsent: request?.cardholderNotPresent,
    noChallenge: request?.noChallenge,
  }).toEqual(visible);
  expect(request?.customerInitiated).toBe(who.isCustomerInitiated);
});

test('an approval with an unmasked card is kept, and reported without its digits', async () => {
  visible = { maskedNumber: NUMBER.reveal(), last4Pan: '1014', scheme: 'VISA' };
  const request = { ...REQUEST, isCustomerInitiated: false, payer: null };
  const answer = await acquirer.chargeStoredCard(request, { card: CARD, number: NUMBER });
  expect(answer).toMatchObject({ outcome: 'approved', approval: { card: { cardNumber: '************1014' } } });
  expect(unreadableCards).toEqual([['r-1', 'the masked number hides no digit']]);
});

test('a charge while the acquirer restarts is sent once it serves again', async () => {
  visible = { maskedNumber: '************1014', last4Pan: '1014', scheme: 'VISA' };
  const stopped = await startAcquirer();
  const address = `127.0.0.1:${stopped.port}`;
  stopped.server.forceShutdown();
  const client = new CardAcquirerClient(address);
  const charge = (deadlineMs: number) =>
    client.chargeStoredCard(
      { ...REQUEST, isCustomerInitiated: false, payer: null, deadlineMs },
      { card: CARD, number: NUMBER },
    );
  const unanswered = await charge(100);
  const pending = charge(10_000);
  const restarted = await startAcquirer(address);
  const answered = await pending;
  client.close();
  restarted.server.forceShutdown();
  expect([unanswered.outcome, answered.outcome]).toEqual(['unknown', 'approved']);
});

test('a charge at an acquirer that does not serve ends within its time', async () => {
  const stopped = await startAcquirer();
  stopped.server.forceShutdown();
  const client = new CardAcquirerClient(`127.0.0.1:${stopped.port}`);
  const request = { ...REQUEST, isCustomerInitiated: false, payer: null, deadlineMs: 200 };
  const answer = await client.chargeStoredCard(request, { card: CARD, number: NUMBER });
  client.close();
  expect(answer).toMatchObject({ outcome: 'unknown' });
});
