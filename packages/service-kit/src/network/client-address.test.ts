import { expect, test } from '@jest/globals';
import { findClientAddress } from './client-address.js';
import { NetworkList } from './network-list.js';

const PROXIES = new NetworkList(['10.0.0.0/8', '2001:db8:1::/48']);

test.each([
  ['a client without a proxy', '203.0.113.7', undefined, '203.0.113.7'],
  ['a client that names another', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a client behind a proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a client behind two proxies', '::ffff:10.0.0.1', '203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['a client behind a proxy that names another', '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a client of IPv6', '2001:db8:1::1', '2001:db8:2::7', '2001:db8:2::7'],
  ['the proxy itself', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy that names nobody', '10.0.0.1', '', '10.0.0.1'],
  ['a proxy that names no address', '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
])('%s has its own address', (_, peer, forwardedFor, address) => {
  expect(findClientAddress({ peer, forwardedFor }, PROXIES)).toBe(address);
});
