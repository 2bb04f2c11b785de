import { eposRestHandler } from '@pos/sandbox/epos-rest-server';
import type { World } from '@pos/sandbox/world';
import { type ConnectionLimits, limitConnections } from '@pos/service-kit/connection-limit';
import { bareHost } from '@pos/service-kit/listen-address';
import { createServer } from 'node:http';

/** The EPOSes of all accounts on one port, over REST; user name and password say which one is called. */
export async function openEposPort(
  world: World,
  { host, port, connections }: { host: string; port: number; connections: ConnectionLimits },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(eposRestHandler((username) => world.findDialledEpos(username)));
  limitConnections(server, connections);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bareHost(host), resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        // Calls that a fault leaves unanswered would keep the server open for ever.
        server.closeAllConnections();
      }),
  };
}
