import { UsageError } from '@pos/conformance/command';
import { describe, expect, test } from '@jest/globals';
import { FLOWS } from '../flows/flows.js';
import { readRunRequest } from './arguments.js';

const GRPC = ['--acquirer', 'grpc://127.0.0.1:50055', '--profile', 'mine.json'];
const TLS = ['--acquirer', 'grpcs://acquirer.example:443', '--profile', 'mine.json'];

function findMessage(words: readonly string[], credential?: string): string {
  try {
    readRunRequest(words, credential);
    return '';
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('the arguments are refused', () => {
  test.each<[string, string[], RegExp]>([
    ['without an acquirer', ['--all'], /--acquirer is missing/],
    ['without a profile', ['--acquirer', 'grpc://h:1', '--all'], /--profile is missing/],
    ['without flows', GRPC, /either --all or --flow/],
    ['with all flows and one', [...GRPC, '--all', '--flow', 'moto'], /either --all or --flow/],
    ['with an unknown flow', [...GRPC, '--flow', 'moto,mota'], /--flow mota is not the name of a flow/],
    ['with an unknown option', [...GRPC, '--all', '--speed', '9'], /'--speed'/],
    ['with an address without a port', ['--acquirer', 'grpc://host', ...GRPC.slice(2), '--all'], /none of grpc:/],
    ['with an address of HTTP', ['--acquirer', 'http://h:1', ...GRPC.slice(2), '--all'], /none of grpc:/],
    ['with a password in the address', ['--acquirer', 'grpc://a:b@h:1', ...GRPC.slice(2), '--all'], /none of grpc:/],
    ['with an authority, and no TLS', [...GRPC, '--all', '--ca-file', 'ca.pem'], /--ca-file needs .* grpcs/],
    ['with a certificate and no key', [...TLS, '--all', '--cert-file', 'c.pem'], /belong together/],
    ['with a credential of two lines', [...GRPC, '--all', '--credential', 'a\nb'], /printable characters/],
    ['with a wait of no time', [...GRPC, '--all', '--wait-seconds', '0'], /--wait-seconds is a whole number/],
    ['with a profile for the sandbox', ['--acquirer', 'sandbox', '--profile', 'x', '--all'], /of its own/],
    ['with a credential for the sandbox', ['--acquirer', 'sandbox', '--credential', 'x', '--all'], /of its own/],
  ])('%s', (_, words, message) => {
    expect(findMessage(words)).toMatch(message);
  });

  test('without the credential in the message', () => {
    expect(findMessage([...GRPC, '--all', '--credential', 'secret\u0000'])).not.toContain('secret');
    expect(findMessage([...GRPC, '--all'], 'secret\u0000')).not.toContain('secret');
  });
});

describe('the arguments are read', () => {
  test('with all flows, over TLS, with the credential of the environment', () => {
    const words = [...TLS, '--all', '--ca-file', 'ca.pem', '--cert-file', 'c.pem', '--key-file', 'k.pem'];
    expect(readRunRequest(words, 'Bearer x')).toMatchObject({
      ...{ address: 'acquirer.example:443', credential: 'Bearer x', profile: 'mine.json' },
      ...{ tls: { ca: 'ca.pem', cert: 'c.pem', key: 'k.pem' }, flows: FLOWS },
    });
  });

  test('with chosen flows in the order of the tester, and the profile of the sandbox', () => {
    const words = ['--acquirer', 'grpc://[::1]:50052', '--profile', 'sandbox', '--flow', 'moto,currencies'];
    const request = readRunRequest(words, undefined);
    expect(request).toMatchObject({ address: '[::1]:50052', tls: null, profile: null, credential: null });
    expect(request.flows.map(({ name }) => name)).toEqual(['currencies', 'moto']);
  });

  test('with the sandbox, which the credential of the environment does not concern', () => {
    expect(readRunRequest(['--acquirer', 'sandbox', '--all'], 'Bearer x')).toMatchObject({
      ...{ address: null, credential: null, profile: null },
    });
  });
});
