import { createEposRestHandler } from '@pos/sandbox/epos-transports';
import type { SimulatedEnvironment } from '@pos/sandbox/environment';
import {
  type ConnectionLimits,
  findAdmittedNetworks,
  limitConnections,
  type PortEncryption,
  stripBrackets,
} from '@pos/service-kit/network';
import { createHttpsOptions, followCertificate } from '@pos/service-kit/http';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';

/** The EPOSes of all accounts on one port, over REST. User name and password select the EPOS. */
export async function openEposServer(
  environment: SimulatedEnvironment,
  {
    host,
    port,
    connections,
    encryption,
  }: { host: string; port: number; connections: ConnectionLimits; encryption: PortEncryption },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const { tls } = encryption;
  const admitted = findAdmittedNetworks({ host, certSetting: 'HTTP_TLS_CERT' }, encryption);
  const handler = createEposRestHandler((username) => environment.findDialledEpos(username));
  const server = tls === null ? createServer(handler) : createHttpsServer(createHttpsOptions(tls), handler);
  if (tls !== null) followCertificate(server, tls);
  limitConnections(server, { admitted, ...connections });
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
        tls?.close();
      }),
  };
}
