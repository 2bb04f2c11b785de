import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, readConfig, trustedProxiesSetting } from '../config/config.js';
import { findAdmittedNetworks, isLoopbackAddress } from './port-encryption.js';

const certSetting = 'HTTP_TLS_CERT';

test.each(['127.0.0.1', '::1', '[::1]', 'localhost'])(
  'a port on %s needs no encryption, and admits everybody',
  (host) => {
    expect(findAdmittedNetworks({ host, certSetting }, { tls: null, trustedProxies: ['10.0.0.1'] })).toBeNull();
  },
);

test.each(['0.0.0.0', '::', '10.0.0.5', '[2001:db8::1]', 'gateway.internal', '127.0.0.1.example'])(
  'a port on %s needs a certificate or proxies, which alone are admitted then',
  (host) => {
    const open = (trustedProxies: readonly string[]) =>
      findAdmittedNetworks({ host, certSetting }, { tls: null, trustedProxies });
    expect(() => open([])).toThrow(ConfigError);
    expect(() => open([])).toThrow(/HTTP_TLS_CERT: is not set, HOST .* TRUSTED_PROXIES/);
    expect(open(['10.0.0.0/8'])?.entries).toEqual(['10.0.0.0/8']);
  },
);

test.each([
  ['127.0.0.1:50051', true],
  ['[::1]:50051', true],
  ['localhost:1', true],
  ['127.0.0.1.example:50051', false],
  ['10.0.0.5:50054', false],
  ['[2001:db8::1]:50054', false],
  ['0.0.0.0:1', false],
])('%s is on this machine: %s', (address, isLoopback) => {
  expect(isLoopbackAddress(address)).toBe(isLoopback);
});

const Settings = z.object({ TRUSTED_PROXIES: trustedProxiesSetting() });

test.each(['10.0.0.1', '10.0.0.0/8, 2001:db8::/32', '::1', ''])('%s are proxies', (text) => {
  const entries = text.split(', ').filter((entry) => entry !== '');
  expect(readConfig(Settings, { TRUSTED_PROXIES: text }).TRUSTED_PROXIES).toEqual(entries);
});

test.each([
  'proxy.example',
  '10.0.0.0/33',
  '10.0.0.1/',
  '::1/129',
  '10.0.0.0/8/8',
  '10.0.0',
  '1.2.3.4,any',
  '10.0.0.1/-1',
])('%s are no proxies', (text) => {
  expect(() => readConfig(Settings, { TRUSTED_PROXIES: text })).toThrow('TRUSTED_PROXIES: is not a list of addresses');
});
