import { createEposRestHandler } from '@pos/sandbox/epos-transports/epos-rest-server';
import type { SimulatedEnvironment } from '@pos/sandbox/environment/simulated-environment';
import { type ConnectionLimits, limitConnections } from '@pos/service-kit/network/connection-limit';
import { stripBrackets } from '@pos/service-kit/network/listen-address';
import { createServer } from 'node:http';

/** The EPOSes of all accounts on one port, over REST. User name and password select the EPOS. */
export async function openEposServer(
  environment: SimulatedEnvironment,
  { host, port, connections }: { host: string; port: number; connections: ConnectionLimits },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(createEposRestHandler((username) => environment.findDialledEpos(username)));
  limitConnections(server, connections);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, stripBrackets(host), resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        // Calls that a fault leaves unanswered would keep the server open forever.
        server.closeAllConnections();
      }),
  };
}
