import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdapterEnvironment } from './testing/adapter-environment.js';

let environment: AdapterEnvironment;
let processorUrl: string;

beforeAll(async () => {
  environment = await AdapterEnvironment.open();
  processorUrl = await environment.startProcessor();
}, 60_000);

afterAll(() => environment.close());

test('the reference adapter takes calls over TLS from a caller with a certificate, and from no other', async () => {
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

test('an adapter that other machines reach does not start without TLS', async () => {
  const started = environment.startAdapter(processorUrl, { HTTP_PORT: '0', GRPC_HOST: '0.0.0.0' });
  await expect(started).rejects.toThrow('GRPC_TLS_CERT: is not set, and GRPC_HOST is not a loopback address');
}, 60_000);
