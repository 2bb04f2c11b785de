import { expect, test } from '@jest/globals';
import { readProxyHeader } from './proxy-header.js';

const REQUEST = Buffer.from('PRI * HTTP/2.0\r\n\r\n');

/** A header of version 2, followed by the first bytes of a client. */
function encode2({
  command = 0x21,
  transport = 0x11,
  body,
}: {
  command?: number;
  transport?: number;
  body: Buffer;
}): Buffer {
  const head = Buffer.from('\r\n\r\n\0\r\nQUIT\n\0\0\0\0', 'latin1');
  head.writeUInt8(command, 12);
  head.writeUInt8(transport, 13);
  head.writeUInt16BE(body.length, 14);
  return Buffer.concat([head, body, REQUEST]);
}

const IPV4 = Buffer.from([203, 0, 113, 7, 10, 0, 0, 1, 0x12, 0x67, 0x01, 0xbb]);
const IPV6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000007', 'hex'),
  Buffer.alloc(16),
  Buffer.from([0x12, 0x67, 1, 0xbb]),
]);

test.each([
  ['version 1, IPv4', Buffer.from('PROXY TCP4 203.0.113.7 10.0.0.1 4711 443\r\n'), '203.0.113.7', 4711],
  ['version 1, IPv6', Buffer.from('PROXY TCP6 2001:db8::7 ::1 4711 443\r\n'), '2001:db8::7', 4711],
  ['version 1, unknown', Buffer.from('PROXY UNKNOWN\r\n'), null, 0],
  ['version 1, unknown with more', Buffer.from('PROXY UNKNOWN ::1 ::1 1 2\r\n'), null, 0],
  ['version 2, IPv4', encode2({ body: IPV4 }), '203.0.113.7', 4711],
  [
    'version 2, IPv4 with more',
    encode2({ body: Buffer.concat([IPV4, Buffer.from([4, 0, 1, 0])]) }),
    '203.0.113.7',
    4711,
  ],
  ['version 2, IPv6', encode2({ transport: 0x21, body: IPV6 }), '2001:db8:0:0:0:0:0:7', 4711],
  ['version 2, of the proxy itself', encode2({ command: 0x20, transport: 0, body: Buffer.alloc(0) }), null, 0],
])('%s is read, at once and byte by byte', (_, bytes, address, port) => {
  const whole = readProxyHeader(bytes);
  expect(whole).toMatchObject({ state: 'complete', address, port });
  if (whole.state !== 'complete') throw new Error('unreachable');
  for (let length = 0; length < whole.length; length += 1) {
    expect([length, readProxyHeader(bytes.subarray(0, length))]).toEqual([length, { state: 'incomplete' }]);
  }
  const rest = bytes.subarray(whole.length).toString();
  expect(['', REQUEST.toString()]).toContain(rest);
});

test.each([
  ['no header', REQUEST],
  ['a client hello', Buffer.from([0x16, 3, 1, 2, 0])],
  ['an address of the other family', Buffer.from('PROXY TCP4 ::1 ::1 1 2\r\n')],
  ['no address', Buffer.from('PROXY TCP4 client proxy 1 2\r\n')],
  ['UDP', Buffer.from('PROXY UDP4 203.0.113.7 10.0.0.1 1 2\r\n')],
  ['a line without an end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['version 3', encode2({ command: 0x31, body: IPV4 })],
  ['an unknown command', encode2({ command: 0x22, body: IPV4 })],
  ['UDP of version 2', encode2({ transport: 0x12, body: IPV4 })],
  ['a Unix socket', encode2({ transport: 0x31, body: Buffer.alloc(216) })],
  ['too few bytes for IPv4', encode2({ body: IPV4.subarray(0, 11) })],
  ['too few bytes for IPv6', encode2({ transport: 0x21, body: IPV6.subarray(0, 35) })],
  ['too many bytes', encode2({ body: Buffer.alloc(2_049) })],
])('%s is no header', (_, bytes) => {
  expect(readProxyHeader(bytes)).toEqual({ state: 'invalid' });
});
