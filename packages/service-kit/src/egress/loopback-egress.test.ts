import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressClient, type EgressOutcome, type EgressRequest } from './egress-client.js';

let receiver: Server;
let port: number;
const paths: string[] = [];
const clients: EgressClient[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(307, { location: 'http://10.0.0.7/metadata' }).end();
    else response.writeHead(202).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  ({ port } = receiver.address() as AddressInfo);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  receiver.close();
});
beforeEach(() => {
  paths.length = 0;
});

type Options = ConstructorParameters<typeof EgressClient>[0];

function send(url: string, request: Partial<EgressRequest> = {}, options: Options = {}): Promise<EgressOutcome> {
  const client = new EgressClient(options);
  clients.push(client);
  return client.send({ method: 'POST', url, headers: {}, body: Buffer.from('{}'), allowsLoopback: true, ...request });
}

test.each(['localhost', '127.0.0.1', '127.1'])(
  'a receiver at http://%s is called where the call allows it',
  async (host) => {
    expect(await send(`http://${host}:${port}/hooks`)).toMatchObject({ outcome: 'answered', httpStatus: 202 });
    expect(paths).toEqual(['/hooks']);
  },
);

test('without the permission it is not called', async () => {
  const answer = await send(`http://localhost:${port}/hooks`, { allowsLoopback: false });
  expect(answer).toMatchObject({ reason: 'forbidden', detail: 'only https is called', mayHaveArrived: false });
  expect(paths).toEqual([]);
});

test.each([
  ['a private address', 'http://10.0.0.7/', 'only https is called'],
  ['a public address', 'http://93.184.216.34/', 'only https is called'],
  ['a name', 'http://lvh.me/', 'only https is called'],
  ['a listed address', 'http://listed.invalid:81/', 'only https is called'],
  ['a blocked port', 'http://localhost:5432/', 'port 5432 is never called'],
  ['loopback as a mapped address', 'http://[::ffff:127.0.0.1]/', 'only https is called'],
])('%s is forbidden without TLS', async (_, url, detail) => {
  expect(await send(url, {}, { allow: ['listed.invalid:81'] })).toMatchObject({ reason: 'forbidden', detail });
});

test.each([
  ['elsewhere', ['10.0.0.7']],
  ['here and elsewhere', ['127.0.0.1', '10.0.0.7']],
  ['nowhere', []],
])('a localhost that resolves %s is not called', async (_, addresses) => {
  const answer = await send(`http://localhost:${port}/`, {}, { resolveLocally: () => Promise.resolve(addresses) });
  expect(answer).toMatchObject({ outcome: 'unanswered', reason: 'dns', mayHaveArrived: false });
  expect(paths).toEqual([]);
});

test('the connection goes to the address that was checked: a later answer of the name counts for no open check', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.7']];
  const asked: string[] = [];
  const resolveLocally = (host: string): Promise<readonly string[]> => {
    asked.push(host);
    return Promise.resolve(answers[asked.length - 1] ?? []);
  };
  expect(await send(`http://localhost:${port}/one`, {}, { resolveLocally })).toMatchObject({ outcome: 'answered' });
  expect(asked).toEqual(['localhost']);
  expect(await send(`http://localhost:${port}/two`, {}, { resolveLocally })).toMatchObject({ reason: 'dns' });
  expect(paths).toEqual(['/one']);
});

test('a redirect off loopback is an answer, and is not followed', async () => {
  expect(await send(`http://localhost:${port}/moved`)).toMatchObject({ outcome: 'answered', httpStatus: 307 });
  expect(paths).toEqual(['/moved']);
});
