import { expect, test } from '@jest/globals';
import { findAddressGroup } from './address-group.js';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::FFFF:192.0.2.1]:443', '192.0.2.1'],
  ['2001:db8:0:1::2', '2001:db8:0:1'],
  ['[2001:DB8:0:01:ffff:ffff:ffff:ffff]:443', '2001:db8:0:1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:db8:0:2::2', '2001:db8:0:2'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (address, group) => {
  expect(findAddressGroup(address)).toBe(group);
});
