import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AdapterEnvironment } from './testing/adapter-environment.js';

let environment: AdapterEnvironment;
let processorUrl: string;
let address: string;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
  const { ready } = await environment.startAdapter(processorUrl);
  address = `grpc://127.0.0.1:${String(ready['grpc_port'])}`;
}, 60_000);

afterAll(() => environment.close());

async function switchFaults(faults: readonly { readonly effect: string; readonly every: number }[]): Promise<void> {
  const response = await fetch(`${processorUrl}/faults`, { method: 'PUT', body: JSON.stringify({ faults }) });
  expect(response.status).toBe(204);
}

/** Every fault of the processor, each at another rhythm, so that they meet in many ways. */
const EVERY_FAULT = [
  { effect: 'drop-answer', every: 5 },
  { effect: 'error-after-booking', every: 7 },
  { effect: 'down', every: 11 },
  { effect: 'garbage', every: 13 },
  { effect: 'other-payment', every: 6 },
  { effect: 'wrong-amount', every: 9 },
  { effect: 'challenge-forced', every: 1 },
  { effect: 'challenge-late', every: 2 },
  { effect: 'lookup-empty', every: 8 },
  { effect: 'repeat-declined', every: 3 },
  { effect: 'repeat-refused', every: 2 },
  { effect: 'webhook-twice', every: 1 },
  { effect: 'webhook-stale', every: 2 },
  { effect: 'webhook-lost', every: 3 },
];

describe('the reference adapter', () => {
  test('passes every flow while its processor answers late, twice, out of order and wrongly', async () => {
    await switchFaults(EVERY_FAULT);
    const json = path.join(environment.folder, 'report.json');
    const words = ['run', '--acquirer', address, '--profile', environment.profile, '--all', '--json', json];
    const { code, output } = await environment.runTester(words);
    await switchFaults([]);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const { certificate, counts, flows, coverage } = JSON.parse(readFileSync(json, 'utf8')) as {
      readonly certificate: unknown;
      readonly counts: Readonly<Record<string, number>>;
      readonly flows: readonly { readonly flow: string; readonly verdict: string }[];
      readonly coverage: readonly { readonly clause: string; readonly gap: string | null }[];
    };
    expect(counts).toMatchObject({ failed: 0 });
    expect(certificate).toMatchObject({ isCertified: true, reasons: [] });
    // It declares everything except wallets and other currencies, so the flows about what is absent do not apply.
    const skipped = flows.filter(({ verdict }) => verdict === 'skipped').map(({ flow }) => flow);
    expect(skipped.filter((flow) => !flow.startsWith('lacks-'))).toEqual([]);
    const played = flows.map(({ flow }) => flow).filter((flow) => flow.startsWith('lacks-') && !skipped.includes(flow));
    expect(played).toEqual(['lacks-apple-pay', 'lacks-google-pay', 'lacks-currency']);
    expect(coverage.filter(({ gap }) => gap !== null)).toEqual([]);
  }, 180_000);

  test('is tested for completions whose decision comes after all its requests', async () => {
    // Later than the adapter sends requests for one call, and within the time of the profile.
    const slow = await environment.startProcessor({ DECISION_DELAY_MS: '3000' });
    const { ready } = await environment.startAdapter(slow, { HTTP_PORT: '0' });
    const faults = JSON.stringify({ faults: [{ effect: 'challenge-late', every: 1 }] });
    expect((await fetch(`${slow}/faults`, { method: 'PUT', body: faults })).status).toBe(204);
    const profile = path.join(environment.folder, 'late-profile.json');
    const values = JSON.parse(readFileSync(environment.profile, 'utf8')) as object;
    writeFileSync(profile, JSON.stringify({ ...values, lateSeconds: 6 }));
    const acquirer = `grpc://127.0.0.1:${String(ready['grpc_port'])}`;
    const words = ['run', '--acquirer', acquirer, '--profile', profile, '--flow', 'challenge-answer-lost'];
    const { code, output } = await environment.runTester(words);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  }, 60_000);
});
