import { expect, test } from '@jest/globals';
import { type EposAddressPolicy, resolveEposAddress } from './epos-address.js';

const PUBLIC_ONLY: EposAddressPolicy = { allow: [], allowsPlaintext: false };
const WITH_ALLOW_LIST: EposAddressPolicy = { allow: ['10.0.0.7:9000'], allowsPlaintext: true };

const ADDRESSES_BY_NAME: Readonly<Record<string, readonly string[]>> = {
  'private.example': ['10.0.0.7'],
  'both.example': ['93.184.216.34', '10.0.0.7'],
  'public.example': ['93.184.216.34'],
};
const resolveName = (host: string): Promise<readonly string[]> =>
  ADDRESSES_BY_NAME[host] === undefined
    ? Promise.reject(new Error('there is no such name'))
    : Promise.resolve(ADDRESSES_BY_NAME[host]);

test('the name of an EPOS is dialled at the address that was checked', async () => {
  expect(
    await resolveEposAddress('grpcs://public.example', { reach: PUBLIC_ONLY, isSandbox: false, resolve: resolveName }),
  ).toMatchObject({
    ...{ isAllowed: true, target: 'ipv4:93.184.216.34:443', authority: 'public.example:443' },
  });
});

test.each([
  // url, reach, sandbox, why not
  ['ftp://93.184.216.34:50051', PUBLIC_ONLY, true, 'https://host:port'],
  ['93.184.216.34:50051', PUBLIC_ONLY, true, 'https://host:port'],
  ['https://user:word@93.184.216.34', PUBLIC_ONLY, true, 'https://host:port'],
  ['https://127.0.0.1:50051', PUBLIC_ONLY, true, 'not public'],
  ['https://10.0.0.7:9000', PUBLIC_ONLY, true, 'not public'],
  ['https://169.254.169.254', PUBLIC_ONLY, true, 'not public'],
  ['https://[::1]:50051', PUBLIC_ONLY, true, 'not public'],
  ['https://[::ffff:127.0.0.1]:50051', PUBLIC_ONLY, true, 'not public'],
  ['https://no-such-name.invalid', PUBLIC_ONLY, true, 'The name does not resolve to a public address.'],
  ['https://private.example', PUBLIC_ONLY, true, 'The name does not resolve to a public address.'],
  ['https://both.example', PUBLIC_ONLY, true, 'The name does not resolve to a public address.'],
  ['grpcs://127.1:50051', PUBLIC_ONLY, true, 'not public'],
  ['grpcs://2130706433', PUBLIC_ONLY, true, 'not public'],
  ['grpcs://0x7f000001', PUBLIC_ONLY, true, 'not public'],
  ['http://93.184.216.34:50051', PUBLIC_ONLY, true, 'TLS only'],
  ['http://127.0.0.1:50051', WITH_ALLOW_LIST, false, 'TLS only'],
  ['http://93.184.216.34:50051', WITH_ALLOW_LIST, true, 'loopback and listed'],
  ['http://10.0.0.8:9000', WITH_ALLOW_LIST, true, 'loopback and listed'],
] as const)('an EPOS at %s is not dialled', async (url, reach, isSandbox, why) => {
  const address = await resolveEposAddress(url, { reach, isSandbox, resolve: resolveName });
  expect(address).toEqual({ isAllowed: false, reason: expect.stringContaining(why) });
});

test.each([
  ['https://93.184.216.34:50051', PUBLIC_ONLY, false, 'ipv4:93.184.216.34:50051', '93.184.216.34:50051', false],
  ['https://93.184.216.34', PUBLIC_ONLY, true, 'ipv4:93.184.216.34:443', '93.184.216.34:443', false],
  [
    'https://[2606:2800:220:1::1]:50051',
    PUBLIC_ONLY,
    true,
    'ipv6:[2606:2800:220:1::1]:50051',
    '[2606:2800:220:1::1]:50051',
    false,
  ],
  ['https://10.0.0.7:9000', WITH_ALLOW_LIST, false, '10.0.0.7:9000', '10.0.0.7:9000', false],
  ['http://127.0.0.1:50051', WITH_ALLOW_LIST, true, '127.0.0.1:50051', '127.0.0.1:50051', true],
  ['http://10.0.0.7:9000', WITH_ALLOW_LIST, true, '10.0.0.7:9000', '10.0.0.7:9000', true],
] as const)('an EPOS at %s is dialled', async (url, reach, isSandbox, target, authority, isPlaintext) => {
  expect(await resolveEposAddress(url, { reach, isSandbox })).toEqual({
    isAllowed: true,
    target,
    authority,
    isPlaintext,
  });
});
