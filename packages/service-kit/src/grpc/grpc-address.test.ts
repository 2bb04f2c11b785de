import { Client, credentials, type Metadata, status } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { BindGrpc } from './grpc-controller.js';
import { startGrpcServers } from '../testing/grpc-startup.js';
import { createLog } from '../telemetry/log.js';
import { hasIpv6 } from '../testing/connections.js';
import { CountService, createKeyMetadata } from '../testing/grpc-servers.js';

const AskService = { ask: CountService.ask };

@BindGrpc(AskService, { permission: 'tables.use' })
class AskController {
  ask(question: string): Promise<string> {
    return Promise.resolve(question);
  }
}

@Module({ controllers: [AskController] })
class AskModule {}

test.each([
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]', '::1'],
  ['::', '127.0.0.1', '::ffff:127.0.0.1'],
])('on %s a key that is sent to %s is looked up for %s, and the log keeps the port', async (host, target, address) => {
  if (host.includes(':') && !hasIpv6()) return;
  const peers: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const authenticate = (_: string, from: string) => {
    peers.push(from);
    return Promise.resolve(null);
  };
  const log = createLog({ app: 'test', level: 'info', write: (line) => lines.push(JSON.parse(line) as never) });
  // Off loopback without a certificate, only a proxy that encrypts may connect.
  const encryption = { tls: null, trustedProxies: ['127.0.0.0/8'] };
  const server = { host, port: 0, services: [AskService], authenticate, log, encryption };
  const { servers, close } = await startGrpcServers({ module: AskModule, serverOptions: [server] });
  const client = new Client(`${target}:${servers[0]!.port}`, credentials.createInsecure());
  try {
    expect(await callAsk(client, createKeyMetadata('sk_sandbox_unknown'))).toBe(status.UNAUTHENTICATED);
    expect(peers).toEqual([address]);
    expect(lines[0]?.['peer']).toMatch(new RegExp(`^${address.replaceAll('.', '\\.')}:\\d+$`));
  } finally {
    client.close();
    await close();
  }
});

function callAsk(client: Client, metadata: Metadata): Promise<status> {
  const { path, requestSerialize } = AskService.ask;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, String, 'who', metadata, (error) => {
      resolve(error?.code ?? status.OK);
    });
  });
}
