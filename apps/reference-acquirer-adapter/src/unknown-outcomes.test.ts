import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Outcome } from '@pos/grpc-contracts/acquirer';
import { setTimeout as pause } from 'node:timers/promises';
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
  client = new TestClient(await environment.startAdapter(processorUrl), environment.credential);
}, 60_000);

afterEach(() => switchFaults());
afterAll(() => environment.close());

async function switchFaults(...faults: readonly (readonly [string, number])[]): Promise<void> {
  const body = JSON.stringify({ faults: faults.map(([effect, every]) => ({ effect, every })) });
  expect((await fetch(`${processorUrl}/faults`, { method: 'PUT', body })).status).toBe(204);
}

function newReference(): string {
  made += 1;
  return `unknown-${made}`;
}

/** Authorises with a card whose issuer challenges the payer. */
async function challenge(): Promise<{ readonly reference: string; readonly md: string }> {
  const reference = newReference();
  const challenged = await client.authorise(createAuthoriseRequest(reference, CHALLENGES));
  expect(getOutcome(challenged)).toBe(Outcome.OUTCOME_CHALLENGED);
  return { reference, md: typeof challenged === 'string' ? '' : (challenged.challenge?.md ?? '') };
}

/** The payer's answer reaches the processor, and the adapter has no part in it. */
async function answerAtProcessor(md: string, answer: 'passed' | 'failed'): Promise<void> {
  const url = `${processorUrl}/payments/${md.replace('md-', '')}/challenge`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ data: md, answer }) });
  expect(response.status).toBe(200);
}

describe('a challenge whose completion is lost', () => {
  test.each([
    ['passed', Outcome.OUTCOME_APPROVED],
    ['failed', Outcome.OUTCOME_DECLINED],
  ] as const)(
    'and that the payer %s is inquired as %s',
    async (answer, outcome) => {
      await switchFaults(['webhook-lost', 1]);
      const { reference, md } = await challenge();
      expect(getOutcome(await client.inquire(reference))).toBe(Outcome.OUTCOME_CHALLENGED);
      await answerAtProcessor(md, answer);
      expect(getOutcome(await client.inquire(reference))).toBe(outcome);
      expect(getOutcome(await client.authorise(createAuthoriseRequest(reference, CHALLENGES)))).toBe(outcome);
      expect(getOutcome(await client.completeChallenge(reference, { paRes: 'failed', md }))).toBe(outcome);
    },
    60_000,
  );

  test('is stored by the webhook, and answered while the processor does not answer', async () => {
    const { reference, md } = await challenge();
    await answerAtProcessor(md, 'passed');
    // The webhook is sent at once; nothing else makes the adapter ask.
    await pause(500);
    await switchFaults(['down', 1]);
    expect(getOutcome(await client.inquire(reference))).toBe(Outcome.OUTCOME_APPROVED);
  }, 60_000);

  test('can be captured without an inquiry in between', async () => {
    await switchFaults(['webhook-lost', 1]);
    const { reference, md } = await challenge();
    await answerAtProcessor(md, 'passed');
    expect(getOutcome(await client.capture(newReference(), reference))).toBe(Outcome.OUTCOME_APPROVED);
  }, 60_000);

  test('is never answered by the completion as a challenge', async () => {
    const { reference, md } = await challenge();
    await switchFaults(['down', 1]);
    expect(getOutcome(await client.completeChallenge(reference, { paRes: 'passed', md }))).toBe('UNAVAILABLE');
    await switchFaults();
    expect(getOutcome(await client.inquire(reference))).toBe(Outcome.OUTCOME_CHALLENGED);
  }, 60_000);
});
