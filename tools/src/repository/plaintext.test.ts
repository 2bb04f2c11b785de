import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

/** Product files that may make gRPC credentials without TLS, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/service-kit/src/grpc/grpc-encryption.ts': 'decides for all others, and refuses what is not loopback',
  'apps/pay-at-table-gateway/src/epos-transports/epos-channel-pool.ts':
    'calls EPOSes of sandboxes under ALLOW_PLAINTEXT_EPOS',
  'packages/payments/src/acquirer/acquirer-channel.ts':
    'its credentials come from the channels of service-kit, which refuse plain text off loopback; tests give none',
  'apps/acquirer-tester/src/acquirer/acquirer-connection.ts':
    'tests the adapter that its user names, with TLS if asked',
  'apps/acquirer-tester/src/sandbox/sandbox-acquirer.ts': 'the simulated acquirer of a run, on loopback',
};

const PRODUCT = /^(apps|packages)\/[^/]+\/src\//;
const TEST = /\.test\.ts$|\/testing\//;

test('plain text is chosen in few places', () => {
  const files = readTree(REPOSITORY).filter(({ file }) => PRODUCT.test(file) && !TEST.test(file));
  const found = files.filter(({ text }) => text.includes('createInsecure(')).map(({ file }) => file);
  expect(found.filter((file) => !(file in ALLOWED))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((file) => !found.includes(file))).toEqual([]);
});
