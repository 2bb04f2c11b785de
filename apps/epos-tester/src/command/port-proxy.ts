import { limitConnections } from '@pos/service-kit/network';
import { createServer, type AddressInfo, connect, type Socket } from 'node:net';

/** A port that other machines may reach, and the address behind it. */
export interface PortProxy {
  readonly port: number;
  /** Also closes the connections through it. */
  readonly close: () => void;
}

/**
 * Opens a port on an address of this machine and forwards it to a port on loopback. The gateway itself stays on
 * loopback with its internal port, so that an EPOS on another machine reaches the port that it dials, and nothing else.
 * Rejects when this machine does not have the address, or the port is in use.
 */
export async function openPortProxy(
  at: { readonly host: string; readonly port: number },
  behind: { readonly host: string; readonly port: number },
): Promise<PortProxy> {
  const open = new Set<Socket>();
  const server = createServer((outside) => {
    const inside = connect(behind);
    for (const socket of [outside, inside]) {
      open.add(socket);
      socket.setNoDelay(true);
      // When one half of a connection breaks, the other is of no use.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        (socket === outside ? inside : outside).destroy();
      });
    }
    outside.pipe(inside);
    inside.pipe(outside);
  });
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
