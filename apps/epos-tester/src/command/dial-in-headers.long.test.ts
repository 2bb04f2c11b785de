import { expect, test } from '@jest/globals';
import { Metadata, credentials } from '@grpc/grpc-js';
import { type ConnectResponse, EposConnectorServiceClient } from '@pos/grpc-contracts/gateway';
import { get } from 'node:http';
import { formatOutput } from '../testing/command-runs.js';

/** What the command prints for an EPOS that dials in, taken literally. */
interface DialIn {
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
}

function readDialIn(text: string): DialIn | null {
  const [, address, printed] = /^waiting for the EPOS \(\S+\) at (\S+) with (.+)\n/.exec(text) ?? [];
  if (address === undefined || printed === undefined) return null;
  const headers = printed.split(', ').map((header) => header.split(': ') as [string, string]);
  return { address: new URL(address), headers: Object.fromEntries(headers) };
}

/** The HTTP status of the gateway's answer to a WebSocket handshake. */
function openSocket({ address, headers }: DialIn): Promise<string> {
  return new Promise((resolve, reject) => {
    const handshake = {
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
    };
    const url = new URL(address);
    url.protocol = 'http:';
    get(url, { headers: { ...handshake, ...headers }, agent: false })
      .on('upgrade', (_, socket) => {
        socket.destroy();
        resolve('101');
      })
      .on('response', (response) => {
        response.resume();
        resolve(String(response.statusCode));
      })
      .on('error', reject);
  });
}

/** The first message of the gateway, or the status that ended the stream. */
function openStream({ address, headers }: DialIn): Promise<string> {
  return new Promise((resolve) => {
    const client = new EposConnectorServiceClient(address.host, credentials.createInsecure());
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const stream = client.connect(metadata);
    const end = (result: string): void => {
      resolve(result);
      stream.cancel();
      client.close();
    };
    stream.on('data', ({ message }: ConnectResponse) => end(message?.$case ?? 'nothing'));
    stream.on('error', ({ message }: Error) => end(message));
    stream.write({ message: { $case: 'hello', value: { instanceId: 'till', clientVersion: '1' } } });
  });
}

test.each([
  ['ws', openSocket, '101'],
  ['tables-ws', openSocket, '101'],
  ['grpc-stream', openStream, 'welcome'],
])(
  'an EPOS that dials in over %s with exactly the printed address and headers is accepted',
  async (transport, open, accepted) => {
    const results: Promise<string>[] = [];
    const stop = new AbortController();
    const dialIn = (text: string): void => {
      const printed = readDialIn(text);
      if (printed === null) return;
      const result = open(printed);
      results.push(result);
      void result.finally(() => stop.abort());
    };
    const words = ['run', '--epos', transport, '--all', '--wait-seconds', '20'];
    await formatOutput(words, { onWrite: dialIn, stop: stop.signal });
    expect(await Promise.all(results)).toEqual([accepted]);
  },
  60_000,
);
