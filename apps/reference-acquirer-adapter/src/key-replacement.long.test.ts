import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Outcome } from '@pos/grpc-contracts/acquirer';
import { createAuthoriseRequest, getOutcome, TestClient } from './testing/adapter-client.js';
import { AdapterEnvironment } from './testing/adapter-environment.js';

const [PREVIOUS, NEXT] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
const APPROVED = Outcome.OUTCOME_APPROVED;

let environment: AdapterEnvironment;
let processorUrl: string;
beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
}, 60_000);
afterAll(() => environment.close());

async function start(current: string, accepted?: string): Promise<TestClient> {
  const keys = { FINGERPRINT_KEY: current, ...(accepted !== undefined && { FINGERPRINT_KEY_ACCEPTED: accepted }) };
  const adapter = await environment.startAdapter(processorUrl, { HTTP_PORT: '0', ...keys });
  return new TestClient(adapter, environment.credential);
}

/** A hold of £12.00 with its capture under the references of a name. */
async function take(client: TestClient, name: string): Promise<unknown[]> {
  const authorisation = getOutcome(await client.authorise(createAuthoriseRequest(name)));
  return [authorisation, getOutcome(await client.capture(`${name}-capture`, name))];
}

test('a repeat is recognised while the key is replaced in steps, and its old key is of no use afterwards', async () => {
  const before = await start(PREVIOUS);
  const accepting = await start(PREVIOUS, NEXT);
  const exchanged = await start(NEXT, PREVIOUS);
  const after = await start(NEXT);
  const twice = [APPROVED, APPROVED];
  expect(await take(before, 'before')).toEqual(twice);
  // Processes of two steps that follow each other run side by side.
  expect(await take(accepting, 'before')).toEqual(twice);
  expect(await take(accepting, 'accepting')).toEqual(twice);
  expect(await take(before, 'accepting')).toEqual(twice);
  expect(await take(exchanged, 'accepting')).toEqual(twice);
  expect(await take(exchanged, 'exchanged')).toEqual(twice);
  expect(await take(accepting, 'exchanged')).toEqual(twice);
  expect(await take(after, 'exchanged')).toEqual(twice);
  expect(await take(exchanged, 'before')).toEqual(twice);
  // A key that nothing names any more recognises nothing.
  expect(getOutcome(await after.authorise(createAuthoriseRequest('before')))).toBe('ALREADY_EXISTS');
}, 60_000);

test('a repeat with other values is refused under both keys', async () => {
  const before = await start(PREVIOUS);
  await take(before, 'other');
  const exchanged = await start(NEXT, PREVIOUS);
  const others = [
    { ...createAuthoriseRequest('other'), amount: 999n },
    createAuthoriseRequest('other', '4111111111111111'),
  ];
  for (const other of others) expect(getOutcome(await exchanged.authorise(other))).toBe('ALREADY_EXISTS');
}, 60_000);
