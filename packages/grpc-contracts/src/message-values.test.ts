import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Metadata, Server, ServerCredentials, credentials, type ServiceError } from '@grpc/grpc-js';
import { bindGrpcServer } from './grpc-server.js';
import { decodeWithin, limitAnswer, findText, MESSAGE_VALUES_MAX, TooManyValues } from './message-values.js';
import { AcquirerServiceClient, type ListBookedResponse } from './gen/index.service.acquirer.v1.js';
import {
  GetBillItemsResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  ListTablesRequest,
} from './gen/index.service.tables.v1.js';
import { anyMessage, registry } from './testing.js';

/** The same bytes again and again. */
const repeated = (bytes: number[], times: number): Buffer => Buffer.concat(new Array(times).fill(Buffer.from(bytes)));

describe('a message with too many values is not decoded', () => {
  test.each([
    ['two million empty messages', ListSessionsResponse, repeated([0x0a, 0], 2_000_000)],
    ['one message inside two million times', GetBillItemsResponse, repeated([0x0a, 0], 2_000_000)],
    ['half a million empty texts', ListSessionsRequest, repeated([0x22, 0], 500_000)],
    ['half a million words of an enumeration in one list', ListTablesRequest, packed(500_000)],
    ['half a million words of an enumeration one by one', ListTablesRequest, repeated([0x08, 1], 500_000)],
    ['half a million flags of which the last counts', ListSessionsRequest, repeated([0x08, 1], 500_000)],
    ['half a million unknown fields', ListTablesRequest, repeated([0x78, 1], 500_000)],
    ['half a million unknown texts', ListTablesRequest, repeated([0x7a, 0], 500_000)],
    [
      'half a million fields in a group',
      ListTablesRequest,
      Buffer.concat([Buffer.from([0x7b]), repeated([0x08, 1], 500_000)]),
    ],
  ])('%s', (_, message: { decode(bytes: Uint8Array): unknown }, bytes) => {
    let read: { readonly pos: number } | null = null;
    const decode = (input: Buffer): unknown => {
      read = input as unknown as { readonly pos: number };
      return message.decode(input);
    };
    expect(() => decodeWithin(MESSAGE_VALUES_MAX, decode, bytes)).toThrow(new TooManyValues(MESSAGE_VALUES_MAX));
    // It ended at the limit; the rest of the bytes was never looked at.
    expect(read!.pos).toBeLessThanOrEqual(2 * MESSAGE_VALUES_MAX + 10);
  });

  test.each([
    ['texts', 0x22, 1, ListSessionsRequest],
    ['messages', 0x0a, 2, ListSessionsResponse],
  ])('as many %s as are allowed are', (_, tag, each, message: { decode(bytes: Uint8Array): unknown }) => {
    const bytes = repeated([tag, 0], 100);
    expect(decodeWithin(100 * each, (input) => message.decode(input), bytes)).toEqual(message.decode(bytes));
    expect(() => decodeWithin(100 * each - 1, (input) => message.decode(input), bytes)).toThrow(TooManyValues);
  });
});

describe('a text in a message that is not decoded', () => {
  const text = [0x0a, 2, 0x68, 0x69];
  test.each([
    ['first', [0x12, 4, ...text], 'hi'],
    ['after other fields', [0x08, 1, 0x12, 8, 0x10, 1, 0x1a, 0, ...text], 'hi'],
    ['before bytes that are no message', [0x12, 5, ...text, 0xff], 'hi'],
    ['empty', [0x12, 2, 0x0a, 0], ''],
    ['of the first of two messages', [0x12, 4, ...text, 0x12, 4, 0x0a, 2, 0x6e, 0x6f], 'hi'],
    ['of no message', [0x1a, 4, ...text], null],
    ['outside of the message', [0x12, 0, ...text], null],
    ['that is a number', [0x12, 2, 0x08, 1], null],
    ['inside a number', [0x10, 4, ...text], null],
    ['cut off', [0x12, 4, 0x0a, 9, 0x68, 0x69], null],
    ['in bytes that are no message', [0xff, 0xff, ...text], null],
    ['in a group that never ends', [0x1b, ...text], null],
    ['in nothing', [], null],
  ])('%s', (_, bytes, found) => {
    expect(findText([2, 1], Buffer.from(bytes))).toBe(found);
  });
});

test('every other message is decoded as without a limit', () => {
  const desc = registry.getMessage('service.tables.v1.ListSessionsResponse')!;
  fc.assert(
    fc.property(anyMessage(desc, { anything: true }), (message) => {
      const bytes = ListSessionsResponse.encode(message as unknown as ListSessionsResponse).finish();
      const decode = (input: Uint8Array): ListSessionsResponse => ListSessionsResponse.decode(input);
      expect(decodeWithin(MESSAGE_VALUES_MAX, decode, Buffer.from(bytes))).toEqual(decode(bytes));
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('a client with such a limit cannot read an answer above it, and reads one below it', async () => {
  let answer: Buffer = Buffer.alloc(0);
  const server = new Server();
  const same = (bytes: Buffer): Buffer => bytes;
  const codecs = {
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  const path = '/service.acquirer.v1.AcquirerService/ListBooked';
  server.addService(
    { listBooked: { path, requestStream: false, responseStream: false, ...codecs } },
    { listBooked: (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, answer) },
  );
  const port = await bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
  const client = new AcquirerServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), limitAnswer(1_000));
  const list = (): Promise<ListBookedResponse | ServiceError> =>
    new Promise((resolve) => {
      const asked = { merchantId: 'm', from: new Date(0), to: new Date(1), pageSize: 1, pageToken: '' };
      client.listBooked(asked, new Metadata(), (error, said) => resolve(error ?? said));
    });
  try {
    answer = repeated([0x0a, 0], 1_000_000);
    expect(await list()).toMatchObject({
      details: 'Response message parsing error: the message holds more than 1000 values',
    });
    answer = repeated([0x0a, 0], 500);
    expect(((await list()) as ListBookedResponse).bookings).toHaveLength(500);
  } finally {
    client.close();
    server.forceShutdown();
  }
});

/** `statuses` as one list on the wire: its length, then each word. */
function packed(count: number): Buffer {
  const length = [];
  for (let rest = count; rest > 0; rest >>>= 7) length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return Buffer.concat([Buffer.from([0x0a, ...length]), Buffer.alloc(count, 1)]);
}
