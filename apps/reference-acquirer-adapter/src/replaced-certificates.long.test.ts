import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { AdapterEnvironment } from './testing/adapter-environment.js';

let environment: AdapterEnvironment;
let processorUrl: string;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
}, 60_000);

afterAll(() => environment.close());

test('the certificate that replaces another on disk is served to the next connection', async () => {
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
  // The tester has read the first file by then, and reads it again every ten seconds.
  await pause(3_000);
  writeFileSync(other.cert, readFileSync(served.cert));
  expect(await run).toMatchObject({ code: 0 });
  const { code, output } = await environment.runTester([...words, '--ca-file', environment.profile]);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('--ca-file: names a file') });
}, 60_000);

/** The fingerprint of the certificate that a new connection is served. */
async function readServedCertificate(port: number): Promise<string> {
  const socket = connect({ port, host: 'localhost', ALPNProtocols: ['h2'], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
