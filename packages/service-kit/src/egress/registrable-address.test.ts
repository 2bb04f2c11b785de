import { describe, expect, test } from '@jest/globals';
import { Refusal } from '@pos/core/refusals';
import { type AddressPolicy, RegistrableAddressPolicy, requireRegistrableUrl } from './registrable-address.js';

const CLOSED_POLICY: Pick<AddressPolicy, 'allow' | 'allowsPlaintext'> = { allow: [], allowsPlaintext: false };

function findObjection(url: string, policy = CLOSED_POLICY): string {
  try {
    requireRegistrableUrl(url, policy);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return String((error as Refusal).members['url']);
  }
}

/** Every spelling of this machine, of networks that are not public, and of their names. */
const NON_PUBLIC_HOSTS = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1'],
  ...['0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.1', '017700000001', '%31%32%37.0.0.1', '0', '0.0.0.0', '0x0'],
  ...['10.0.0.1', '10.1', '167772161', '0x0a000001', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::ffff:10.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::1]'],
  ...[
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ],
];
const PRIVATE_NAMES = [
  ...[
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    'a.b.localhost.',
    'localhost.localdomain',
    'printer.local',
  ],
  ...['metadata.google.internal', 'db.internal.', 'nas.lan', 'router.home.arpa', 'intranet', 'postgres', 'api.corp'],
];

describe('an address that is not public is refused when it is registered', () => {
  test.each(NON_PUBLIC_HOSTS)('https://%s', (host) => {
    const refused = /^Is never called: the address is not public(: it is a (loopback|private|link-local) address)?\.$/;
    expect(findObjection(`https://${host}/hooks`)).toMatch(refused);
    expect(findObjection(`https://${host}:8443/hooks`)).toMatch(refused);
  });

  test.each(PRIVATE_NAMES)('https://%s', (host) => {
    expect(findObjection(`https://${host}/hooks`)).toBe('Is never called: the name is not one of the public internet.');
  });

  test.each([
    ['https://shop.example:22', 'port 22 is never called'],
    ['https://shop.example:5432', 'port 5432 is never called'],
    ['https://user:word@shop.example', 'the URL carries credentials'],
    ['http://shop.example', 'only https is called'],
    ['shop.example', 'the URL cannot be read'],
  ])('%s', (url, reason) => {
    expect(findObjection(url)).toBe(`Is never called: ${reason}.`);
  });
});

test.each([
  'https://shop.example/hooks',
  'https://no-such-name.invalid/hooks',
  'https://localhost.shop.example',
  'https://internal.shop.example:8443',
  'https://8.8.8.8',
  'https://134744072',
  'https://[2606:2800:220:1::1]:8443/x',
])('%s is accepted, whether or not it resolves', (url) => {
  expect(findObjection(url)).toBe('none');
});

describe('addresses that the operator lists', () => {
  const OPEN_POLICY = { allow: ['127.0.0.1:8443', 'LocalHost:443', '[::1]:9443'], allowsPlaintext: true };

  test.each([
    'https://127.0.0.1:8443/a',
    'https://localhost',
    'https://[::1]:9443',
    'https://127.1:8443',
    'http://127.0.0.1:9',
  ])('is accepted: %s', (url) => {
    expect(findObjection(url, OPEN_POLICY)).toBe('none');
  });

  test.each([
    'https://127.0.0.1:8444',
    'https://localhost:8443',
    'https://127.0.0.1',
    'http://10.0.0.1:80',
    'http://169.254.169.254',
  ])('is accepted to the letter only: %s', (url) => {
    expect(findObjection(url, OPEN_POLICY)).not.toBe('none');
  });
});

describe('an EPOS without TLS', () => {
  const OPEN = { allow: ['listed.example:8080'], allowsPlaintext: true, allowsLoopbackWebhooks: false };
  const findEposObjection = (url: string, environment: 'sandbox' | 'production' = 'sandbox'): string => {
    try {
      new RegistrableAddressPolicy(OPEN).requireEposUrl({ accountId: 'acc_1', environment }, url);
      return 'none';
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      return String((error as Refusal).members['url']);
    }
  };

  test.each(['http://127.0.0.1:3009', 'http://localhost:3009', 'http://listed.example:8080', 'https://till.example'])(
    'is accepted where it would be called: %s',
    (url) => {
      expect(findEposObjection(url)).toBe('none');
    },
  );

  test.each([
    'http://93.184.216.34:8080',
    'http://till.example',
    'http://listed.example',
    'http://[2606:2800:220:1::1]',
  ])('is refused where it is never called, also at a public address: %s', (url) => {
    expect(findEposObjection(url)).toBe(
      'Is never called: without https only localhost, addresses of loopback and those that the operator has listed are called.',
    );
  });
});

describe('a receiver of webhooks without TLS', () => {
  const DEVELOPMENT = {
    allow: ['10.0.0.7:80', 'listed.example:80', 'listed.example:443'],
    ...{ allowsPlaintext: true, allowsLoopbackWebhooks: true },
  };
  const findWebhookObjection = (
    url: string,
    {
      policy = DEVELOPMENT,
      environment = 'sandbox',
    }: { policy?: AddressPolicy; environment?: 'sandbox' | 'production' } = {},
  ): string => {
    try {
      new RegistrableAddressPolicy(policy).requireWebhookUrl({ accountId: 'acc_1', environment }, url);
      return 'none';
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      return String((error as Refusal).members['url']);
    }
  };

  test.each([
    ...['http://localhost:3000/hooks', 'http://localhost', 'http://LOCALHOST:8080', 'http://127.0.0.1:3000'],
    ...['http://127.1:3000', 'http://127.255.255.254:1234', 'http://[::1]:3000', 'http://0x7f.1:3000'],
  ])('is accepted on loopback in development: %s', (url) => {
    expect(findWebhookObjection(url)).toBe('none');
    expect(findWebhookObjection(url, { environment: 'production' })).toBe('Is never called: only https is called.');
    const production = { ...DEVELOPMENT, allowsLoopbackWebhooks: false };
    expect(findWebhookObjection(url, { policy: production })).toBe('Is never called: only https is called.');
  });

  test.each([
    ...[
      'http://10.0.0.7',
      'http://192.168.0.10:3000',
      'http://169.254.169.254',
      'http://0.0.0.0:3000',
      'http://[::]:80',
    ],
    ...['http://[::ffff:127.0.0.1]:3000', 'http://example.com', 'http://listed.example', 'http://lvh.me:3000'],
    ...['http://localhost.:3000', 'http://a.localhost:3000', 'http://localhost.example:3000', 'http://intranet'],
  ])('is refused elsewhere, also on the allow-list: %s', (url) => {
    expect(findWebhookObjection(url)).toBe(
      'Is never called: without https only localhost and addresses of loopback are called.',
    );
  });

  test.each([
    ['http://localhost:5432/', 'port 5432 is never called'],
    ['http://127.0.0.1:6379/', 'port 6379 is never called'],
    ['http://user@localhost:3000/', 'the URL carries credentials'],
    ['ftp://localhost/', 'only https is called'],
    ['https://localhost:3000/', 'the name is not one of the public internet'],
  ])('%s is refused: %s', (url, reason) => {
    expect(findWebhookObjection(url)).toBe(`Is never called: ${reason}.`);
  });

  test('https addresses of the allow-list are still accepted', () => {
    expect(findWebhookObjection('https://listed.example/hooks')).toBe('none');
  });
});
