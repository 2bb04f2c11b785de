import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Outcome } from '@pos/grpc-contracts/acquirer';
import { createAuthoriseRequest, getOutcome, TestClient } from './testing/adapter-client.js';
import { AdapterEnvironment } from './testing/adapter-environment.js';
import { type FirstFate, ProcessorScript, type SecondAnswer } from './testing/processor-script.js';

let environment: AdapterEnvironment;
let processor: ProcessorScript;
let client: TestClient;
let made = 0;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processor = await ProcessorScript.open();
  client = await start({});
}, 60_000);

afterAll(async () => {
  await environment.close();
  await processor.close();
});

const start = async (env: Readonly<Record<string, string>>): Promise<TestClient> =>
  new TestClient(await environment.startAdapter(processor.url, { HTTP_PORT: '0', ...env }), environment.credential);

function newReference(): string {
  made += 1;
  return `repeated-${made}`;
}

const { OUTCOME_APPROVED: APPROVED, OUTCOME_DECLINED: DECLINED, OUTCOME_IN_PROGRESS: IN_PROGRESS } = Outcome;

/** The outcome of the first request, how its repeat is answered, and what the adapter reports. */
const AUTHORISATIONS: readonly (readonly [FirstFate, SecondAnswer, string])[] = [
  ['booked, connection lost', '409', APPROVED],
  ['booked, connection lost', '404', APPROVED],
  ['booked, connection lost', '422', APPROVED],
  ['booked, connection lost', '400', APPROVED],
  ['booked, connection lost', 'declined', APPROVED],
  ['booked, error 500', '404', APPROVED],
  ['booked, error 500', 'declined', APPROVED],
  ['booked, 503 of a proxy', '422', APPROVED],
  ['booked, 503 of a proxy', 'declined', APPROVED],
  // It may still arrive: nothing is reported before the processor would have booked it.
  ['lost', '404', IN_PROGRESS],
  ['lost', '422', IN_PROGRESS],
  ['lost', 'declined', DECLINED],
  ['down', '404', 'NOT_FOUND'],
  ['down', '422', 'INVALID_ARGUMENT'],
  ['down', '400', 'INVALID_ARGUMENT'],
  ['down', 'declined', DECLINED],
];

/** The same of a capture. */
const CAPTURES: readonly (readonly [FirstFate, SecondAnswer, string])[] = [
  ['booked, connection lost', '409', APPROVED],
  ['booked, connection lost', '422', APPROVED],
  ['booked, connection lost', '404', APPROVED],
  ['booked, 503 of a proxy', '422', APPROVED],
  ['lost', '422', IN_PROGRESS],
  ['down', '422', DECLINED],
  ['down', '404', DECLINED],
];

describe('a request that is', () => {
  test.each(AUTHORISATIONS)(
    '%s, and whose repeat is answered %s, is an authorisation %s',
    async (...row) => {
      const [fate, second, reported] = row;
      const reference = newReference();
      processor.script(fate, second);
      expect(getOutcome(await client.authorise(createAuthoriseRequest(reference)))).toBe(reported);
      const inquired =
        reported === 'NOT_FOUND' || reported === 'INVALID_ARGUMENT' ? Outcome.OUTCOME_NOT_FOUND : reported;
      expect(getOutcome(await client.inquire(reference))).toBe(inquired);
    },
    30_000,
  );

  test.each(CAPTURES)(
    '%s, and whose repeat is answered %s, is a capture %s',
    async (fate, second, reported) => {
      const [payment, capture] = [newReference(), newReference()];
      processor.script(null);
      expect(getOutcome(await client.authorise(createAuthoriseRequest(payment)))).toBe(APPROVED);
      processor.script(fate, second);
      expect(getOutcome(await client.capture(capture, payment))).toBe(reported);
      expect(getOutcome(await client.inquire(capture))).toBe(reported);
    },
    30_000,
  );
});

test('a lost request whose repeat was refused has failed once it can no longer arrive', async () => {
  const reference = newReference();
  processor.script('lost', '422');
  expect(getOutcome(await client.authorise(createAuthoriseRequest(reference)))).toBe(IN_PROGRESS);
  const patient = await start({ ABANDON_AFTER_MS: '1' });
  expect(getOutcome(await patient.inquire(reference))).toBe(Outcome.OUTCOME_FAILED);
}, 30_000);
