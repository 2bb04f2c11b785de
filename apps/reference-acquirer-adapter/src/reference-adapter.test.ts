import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { AdapterEnvironment, findFreePort } from './testing/adapter-environment.js';

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

  test('takes calls over TLS from a caller with a certificate, and from no other', async () => {
    const [server, client] = [await environment.makeCertificate('server'), await environment.makeCertificate('client')];
    const { ready } = await environment.startAdapter(processorUrl, {
      ...{ HTTP_PORT: '0', GRPC_HOST: 'localhost' },
      ...{ GRPC_TLS_CERT: server.cert, GRPC_TLS_KEY: server.key, GRPC_TLS_CA: client.cert },
    });
    const acquirer = `grpcs://localhost:${String(ready['grpc_port'])}`;
    const words = [
      'run',
      '--acquirer',
      acquirer,
      '--profile',
      environment.profile,
      '--flow',
      'credential,authorise-hold',
    ];
    const own = ['--cert-file', client.cert, '--key-file', client.key];
    expect(await environment.runTester([...words, '--ca-file', server.cert, ...own])).toMatchObject({ code: 0 });
    for (const without of [['--ca-file', server.cert], own]) {
      const { code, output } = await environment.runTester([...words, ...without, '--wait-seconds', '2']);
      expect({ code, output }).toMatchObject({ code: 3, output: expect.stringContaining('no connection to grpcs') });
    }
  }, 60_000);
});

test('the certificate that replaces another on disk is shown to the next connection', async () => {
  const [first, second] = [await environment.makeCertificate('first'), await environment.makeCertificate('second')];
  const { ready } = await environment.startAdapter(processorUrl, {
    ...{ HTTP_PORT: '0', GRPC_HOST: 'localhost', TLS_RELOAD_MS: '100' },
    ...{ GRPC_TLS_CERT: first.cert, GRPC_TLS_KEY: first.key },
  });
  const port = Number(ready['grpc_port']);
  const [shown, replacing] = [readFileSync(first.cert, 'utf8'), readFileSync(second.cert, 'utf8')];
  expect(await readServedCertificate(port)).toBe(new X509Certificate(shown).fingerprint256);
  writeFileSync(first.cert, replacing);
  writeFileSync(first.key, readFileSync(second.key));
  const wanted = new X509Certificate(replacing).fingerprint256;
  const endsAtMs = performance.now() + 10_000;
  while ((await readServedCertificate(port)) !== wanted && performance.now() < endsAtMs) await pause(50);
  expect(await readServedCertificate(port)).toBe(wanted);
}, 60_000);

test('the tester uses an authority that is replaced on disk for its next connection', async () => {
  const [served, other] = [await environment.makeCertificate('served'), await environment.makeCertificate('other')];
  const { ready } = await environment.startAdapter(processorUrl, {
    ...{ HTTP_PORT: '0', GRPC_HOST: 'localhost', GRPC_TLS_CERT: served.cert, GRPC_TLS_KEY: served.key },
  });
  const address = `grpcs://localhost:${String(ready['grpc_port'])}`;
  const words = ['run', '--acquirer', address, '--profile', environment.profile, '--flow', 'authorise-hold'];
  const run = environment.runTester([...words, '--ca-file', other.cert, '--wait-seconds', '40']);
  // The tester has read the first file by then, and looks at it again every ten seconds.
  await pause(3_000);
  writeFileSync(other.cert, readFileSync(served.cert));
  expect(await run).toMatchObject({ code: 0 });
  const { code, output } = await environment.runTester([...words, '--ca-file', environment.profile]);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('--ca-file: names a file') });
}, 60_000);

test('an adapter that other machines reach does not start without TLS', async () => {
  const started = environment.startAdapter(processorUrl, { HTTP_PORT: '0', GRPC_HOST: '0.0.0.0' });
  await expect(started).rejects.toThrow('GRPC_TLS_CERT: is not set, and GRPC_HOST is not a loopback address');
}, 60_000);

/** The fingerprint of the certificate that a new connection is shown. */
async function readServedCertificate(port: number): Promise<string> {
  const socket = connect({ port, host: 'localhost', ALPNProtocols: ['h2'], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

describe('the page about the tester', () => {
  const page = new URL('../../../docs/operate/acquirer-tester.md', import.meta.url);
  const [start = '', faults = ''] = [...readFileSync(page, 'utf8').matchAll(/^```bash\n(.*?)^```$/gms)]
    .map(([, block = '']) => block)
    .filter((block) => /dist\/main\.js|curl/.test(block));

  test('has commands that start the adapter and its processor, test it and switch faults', async () => {
    const ports = { 3010: await findFreePort(), 3011: await findFreePort(), 50055: await findFreePort() };
    const script = Object.entries(ports).reduce(
      (text, [port, free]) => text.replaceAll(port, String(free)),
      // The faults are switched before the processes are stopped; a few flows show that the commands work.
      start.replace('kill %1', `${faults}kill %1`).replace('--all', '--flow authorise-hold,capture-full,late-approval'),
    );
    const { code, output } = await environment.runScript(script);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toContain('3 passed; ');
  }, 60_000);
});
