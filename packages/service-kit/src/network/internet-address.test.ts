import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isGlobalUnicast } from './internet-address.js';

test.each([
  ['this network', '0.0.0.0'],
  ['this network, later', '0.255.1.2'],
  ['private 10', '10.0.0.1'],
  ['carrier NAT, first', '100.64.0.0'],
  ['carrier NAT, last', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback, later', '127.255.255.254'],
  ['cloud metadata', '169.254.169.254'],
  ['private 172, first', '172.16.0.0'],
  ['private 172, last', '172.31.255.255'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192', '192.168.1.1'],
  ['benchmarking', '198.19.255.255'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.7'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified v6', '::'],
  ['loopback v6', '::1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-mapped in hex', '::ffff:7f00:1'],
  ['IPv4-compatible', '::7f00:1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of public', '64:ff9b::808:808'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation v6', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['documentation, new', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fd00:ec2::254'],
  ['link local', 'fe80::1'],
  ['link local with zone', 'fe80::1%eth0'],
  ['a zone on a public address', '2606:4700::1%eth0'],
  ['multicast v6', 'ff02::1'],
  ['a name', 'localhost'],
  ['nothing', ''],
  ['decimal', '2130706433'],
  ['octal', '0177.0.0.1'],
])('%s is not the public internet: %s', (_, address) => {
  expect(isGlobalUnicast(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4009:80b::200e',
  '2001:4860:4860::8888',
])('%s is the public internet', (address) => {
  expect(isGlobalUnicast(address)).toBe(true);
});

test('no IPv4 address becomes public as an IPv6 form', () => {
  const bytes = fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 255 })));
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom('::ffff:', '::', '64:ff9b::'),
      (four, prefix) => !isGlobalUnicast(`${prefix}${four.join('.')}`),
    ),
  );
});
