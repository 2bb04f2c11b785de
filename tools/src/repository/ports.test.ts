import { expect, test } from '@jest/globals';
import { REPOSITORY } from './repository.js';
import { readTree } from './source-tree.js';

/** The calls that open a port: servers of node, fastify and gRPC. */
const OPENS = /\bcreate(Secure)?Server\(|\bfastify\(|\bnew FastifyAdapter\(|\.bindAsync\(|\bbindGrpcServer\(/;
const LIMITS = /\blimit(Grpc)?Connections\(/;
/** Free ports that are found and closed at once; the function that the others call. */
const OPEN_NOTHING = ['packages/dev-database/src/free-ports.ts', 'packages/grpc-contracts/src/grpc-server.ts'];
/** The integrator's own command: it listens on loopback while they look at it. */
const ON_LOOPBACK = ['apps/cli/src/listen/receiver-endpoint.ts'];

test('every module of the apps that opens a port limits its connections', () => {
  const opening = readTree(REPOSITORY).filter(
    ({ file, text }) =>
      /^(apps|packages)\/.*\.ts$/.test(file) &&
      !/\.test\.ts$|\/testing\/|\/testing[^/]*\.ts$/.test(file) &&
      OPENS.test(text),
  );
  expect(opening.map(({ file }) => file)).toEqual(
    expect.arrayContaining([
      'packages/service-kit/src/http/http-server.ts',
      'packages/service-kit/src/grpc/grpc-server.ts',
      ...OPEN_NOTHING,
    ]),
  );
  const unlimited = opening.filter(({ text }) => !LIMITS.test(text));
  expect(unlimited.map(({ file }) => file)).toEqual([...ON_LOOPBACK, ...OPEN_NOTHING]);
});
