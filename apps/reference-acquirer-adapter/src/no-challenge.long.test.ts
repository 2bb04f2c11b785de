import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type AuthoriseRequest, Outcome } from '@pos/grpc-contracts/acquirer';
import { createAuthoriseRequest, getOutcome, TestClient } from './testing/adapter-client.js';
import { AdapterEnvironment } from './testing/adapter-environment.js';

const CHALLENGES = '4456530000001096';

let environment: AdapterEnvironment;
let processorUrl: string;
let client: TestClient;
let made = 0;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
  client = await start();
}, 60_000);

afterEach(() => switchFaults());
afterAll(() => environment.close());

const start = async (env: Readonly<Record<string, string>> = {}) =>
  new TestClient(await environment.startAdapter(processorUrl, { HTTP_PORT: '0', ...env }), environment.credential);

async function switchFaults(...effects: readonly string[]): Promise<void> {
  const body = JSON.stringify({ faults: effects.map((effect) => ({ effect, every: 1 })) });
  expect((await fetch(`${processorUrl}/faults`, { method: 'PUT', body })).status).toBe(204);
}

/** An authorisation without challenges. It is the next payment of the processor. */
function newRequest(values: Partial<AuthoriseRequest> = {}): AuthoriseRequest {
  made += 1;
  return { ...createAuthoriseRequest(`no-challenge-${made}`, CHALLENGES), noChallenge: true, ...values };
}

/** The status of the last payment at the processor. */
async function readStatus(): Promise<unknown> {
  const response = await fetch(`${processorUrl}/payments/pay_${String(made).padStart(8, '0')}`);
  return ((await response.json()) as Readonly<Record<string, unknown>>)['status'];
}

/** Requires that the authorisation is declined, stays declined, and has booked nothing. */
async function expectDeclined(at: TestClient, request: AuthoriseRequest): Promise<void> {
  const { reference } = request;
  const answer = await at.authorise(request);
  expect(getOutcome(answer)).toBe(Outcome.OUTCOME_DECLINED);
  expect(answer).toMatchObject({ challenge: undefined, processedAt: expect.any(Date) });
  expect(await at.inquire(reference)).toEqual(answer);
  expect(getOutcome(await at.completeChallenge(reference, { paRes: 'passed', md: 'any' }))).toBe('FAILED_PRECONDITION');
  expect(getOutcome(await at.capture(`${reference}-capture`, reference))).toBe('FAILED_PRECONDITION');
  expect((await at.listBooked()).filter((booking) => booking.reference.startsWith(reference))).toEqual([]);
}

describe('an authorisation that allows no challenge', () => {
  test('is declined by the processor where the card needs one', async () => {
    await expectDeclined(client, newRequest());
    expect(await readStatus()).toBe('declined');
  }, 60_000);

  test('is approved with any other card, and with a card that is charged without its holder', async () => {
    const approving = createAuthoriseRequest('approving').instrument;
    expect(getOutcome(await client.authorise(newRequest({ instrument: approving })))).toBe(Outcome.OUTCOME_APPROVED);
    const absent = newRequest({ cardholderNotPresent: true });
    expect(getOutcome(await client.authorise(absent))).toBe(Outcome.OUTCOME_APPROVED);
  }, 60_000);

  test('is voided and declined where the processor challenges all the same', async () => {
    await switchFaults('challenge-forced');
    await expectDeclined(client, newRequest());
    expect(await readStatus()).toBe('voided');
  }, 60_000);

  test('can be reversed after that, and stays without bookings', async () => {
    await switchFaults('challenge-forced');
    const request = newRequest();
    await expectDeclined(client, request);
    const reversal = await client.reverse(`${request.reference}-reversal`, request.reference);
    expect(getOutcome(reversal)).toBe(Outcome.OUTCOME_APPROVED);
    expect((await client.listBooked()).filter(({ reference }) => reference.startsWith(request.reference))).toEqual([]);
  }, 60_000);

  test.each([
    ['before the void', 'after-processor', 'challenge'],
    ['after the void', 'after-processor:2', 'voided'],
  ])(
    'is declined by the next adapter after one that was killed %s',
    async (_, point, status) => {
      await switchFaults('challenge-forced');
      const request = newRequest();
      const killed = await start({ FAULT_POINT: point });
      expect(getOutcome(await killed.authorise(request))).toBe('UNAVAILABLE');
      expect(await killed.adapter.ended).toBe('SIGKILL');
      expect(await readStatus()).toBe(status);
      const next = await start();
      expect(getOutcome(await next.inquire(request.reference))).toBe(Outcome.OUTCOME_DECLINED);
      expect(await readStatus()).toBe('voided');
      await expectDeclined(next, request);
    },
    60_000,
  );
});
