import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AuthoriseRequest, BookingKind, Outcome } from '@pos/grpc-contracts/acquirer';
import { createAuthoriseRequest, getOutcome, TestClient } from './testing/adapter-client.js';
import { AdapterEnvironment } from './testing/adapter-environment.js';

let environment: AdapterEnvironment;
let processorUrl: string;
let started = 0;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
}, 60_000);

afterAll(() => environment.close());

const start = async (env: Readonly<Record<string, string>> = {}) =>
  new TestClient(await environment.startAdapter(processorUrl, { HTTP_PORT: '0', ...env }), environment.credential);

const newPayment = (): AuthoriseRequest => {
  started += 1;
  return createAuthoriseRequest(`stop-${started}`);
};

/** How often a kind is booked under the reference. */
async function countBookings(client: TestClient, reference: string, kind: BookingKind): Promise<number> {
  const bookings = await client.listBooked();
  return bookings.filter((booking) => booking.reference === reference && booking.kind === kind).length;
}

describe('an adapter that is killed', () => {
  test('between the processor and its own record finds the authorisation again', async () => {
    const payment = newPayment();
    const killed = await start({ FAULT_POINT: 'after-processor' });
    expect(getOutcome(await killed.authorise(payment))).toBe('UNAVAILABLE');
    expect(await killed.adapter.ended).toBe('SIGKILL');
    const next = await start();
    expect(getOutcome(await next.inquire(payment.reference))).toBe(Outcome.OUTCOME_APPROVED);
    expect(getOutcome(await next.authorise(payment))).toBe(Outcome.OUTCOME_APPROVED);
    expect(await countBookings(next, payment.reference, BookingKind.BOOKING_KIND_AUTHORISE)).toBe(1);
  }, 60_000);

  test('before the processor was called says that it does not know, and a repeat is booked once', async () => {
    const payment = newPayment();
    const killed = await start({ FAULT_POINT: 'before-processor' });
    expect(getOutcome(await killed.authorise(payment))).toBe('UNAVAILABLE');
    expect(await killed.adapter.ended).toBe('SIGKILL');
    const next = await start();
    expect(getOutcome(await next.inquire(payment.reference))).toBe(Outcome.OUTCOME_IN_PROGRESS);
    expect(getOutcome(await next.authorise(payment))).toBe(Outcome.OUTCOME_APPROVED);
    expect(await countBookings(next, payment.reference, BookingKind.BOOKING_KIND_AUTHORISE)).toBe(1);
  }, 60_000);

  test('before the processor was called fails the call once a request can no longer arrive', async () => {
    const payment = newPayment();
    const killed = await start({ FAULT_POINT: 'before-processor' });
    await killed.authorise(payment);
    expect(await killed.adapter.ended).toBe('SIGKILL');
    const next = await start({ ABANDON_AFTER_MS: '1' });
    expect(getOutcome(await next.inquire(payment.reference))).toBe(Outcome.OUTCOME_FAILED);
    expect(getOutcome(await next.authorise(payment))).toBe(Outcome.OUTCOME_FAILED);
    expect(await countBookings(next, payment.reference, BookingKind.BOOKING_KIND_AUTHORISE)).toBe(0);
  }, 60_000);

  test('between the processor and its own record books a repeated capture once', async () => {
    const payment = newPayment();
    const killed = await start({ FAULT_POINT: 'after-processor:2' });
    expect(getOutcome(await killed.authorise(payment))).toBe(Outcome.OUTCOME_APPROVED);
    const capture = `${payment.reference}-capture`;
    expect(getOutcome(await killed.capture(capture, payment.reference))).toBe('UNAVAILABLE');
    expect(await killed.adapter.ended).toBe('SIGKILL');
    const next = await start();
    expect(getOutcome(await next.inquire(capture))).toBe(Outcome.OUTCOME_APPROVED);
    expect(getOutcome(await next.capture(capture, payment.reference))).toBe(Outcome.OUTCOME_APPROVED);
    expect(await countBookings(next, capture, BookingKind.BOOKING_KIND_CAPTURE)).toBe(1);
  }, 60_000);

  test('between the processor and its own record knows a repeated reversal', async () => {
    const payment = newPayment();
    const killed = await start({ FAULT_POINT: 'after-processor:2' });
    await killed.authorise(payment);
    const reversal = `${payment.reference}-reversal`;
    expect(getOutcome(await killed.reverse(reversal, payment.reference))).toBe('UNAVAILABLE');
    expect(await killed.adapter.ended).toBe('SIGKILL');
    const next = await start();
    expect(getOutcome(await next.reverse(reversal, payment.reference))).toBe(Outcome.OUTCOME_APPROVED);
    expect(getOutcome(await next.inquire(payment.reference))).toBe(Outcome.OUTCOME_REVERSED);
    expect(await countBookings(next, reversal, BookingKind.BOOKING_KIND_REVERSE)).toBe(1);
  }, 60_000);
});

test('two adapters on one database book one reference once', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const payments = Array.from({ length: 10 }, newPayment);
  const clients = [one, other, one, other];
  await Promise.all(payments.flatMap((payment) => clients.map((client) => client.authorise(payment))));
  for (const payment of payments) {
    expect(getOutcome(await one.authorise(payment))).toBe(Outcome.OUTCOME_APPROVED);
    expect(await countBookings(other, payment.reference, BookingKind.BOOKING_KIND_AUTHORISE)).toBe(1);
  }
}, 60_000);

test('a webhook that claims a decision changes nothing, and one that cannot be read is refused', async () => {
  const client = await start();
  const payment = { ...newPayment(), instrument: undefined };
  expect(getOutcome(await client.authorise(payment))).toBe('INVALID_ARGUMENT');
  const url = `http://127.0.0.1:${String(client.adapter.ready['http_port'])}/webhooks`;
  const post = async (body: string): Promise<number> => (await fetch(url, { method: 'POST', body })).status;
  expect(await post(JSON.stringify({ order_ref: 'ABC', payment_id: 'pay_1', status: 'authorized' }))).toBe(200);
  expect(await post(JSON.stringify({ order_ref: "'; --" }))).toBe(400);
  expect(await post('{')).toBe(400);
  expect(await post('x'.repeat(20_000))).toBe(400);
  expect(getOutcome(await client.inquire(payment.reference))).toBe(Outcome.OUTCOME_NOT_FOUND);
}, 60_000);
