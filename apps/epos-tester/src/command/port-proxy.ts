import { limitConnections } from '@pos/service-kit/network/connection-limit';
import { createServer, type AddressInfo, connect, type Socket } from 'node:net';

/** A port that other machines may reach, and what is behind it. */
export interface PortProxy {
  readonly port: number;
  /** Ends what goes through it, too. */
  readonly close: () => void;
}

/**
 * Opens a port at an address of this machine and passes everything on to one on loopback. The gateway itself stays there,
 * with its internal port: an EPOS on another machine reaches what it dials into, and nothing else. Rejects when the
 * address is none of this machine, or the port is taken.
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
      // Half of a connection that is broken is of no use to the other half.
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
