import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { stripBrackets } from '../network/listen-address.js';

/** The connection limit of an address in tests. */
export const TEST_CONNECTIONS_MAX = 3;

/** Whether this machine has the IPv6 loopback. */
export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1') === true);
}

/** The host and port of a URL or `host:port`. */
export function parseHostPort(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address.includes('//') ? address : `tcp://${address}`);
  return { host: stripBrackets(hostname), port: Number(port) };
}

/**
 * Opens connections that send nothing, two more than `TEST_CONNECTIONS_MAX`, and waits until the port has closed two.
 * Resolves with the number of closed ones; for a port without a limit it never resolves.
 */
export async function countDropped(address: string): Promise<number> {
  const sockets: Socket[] = [];
  try {
    for (let count = 0; count < TEST_CONNECTIONS_MAX + 2; count += 1) {
      const socket = connect(parseHostPort(address)).on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.resume();
    }
    for (const socket of sockets.slice(TEST_CONNECTIONS_MAX)) if (!socket.destroyed) await once(socket, 'close');
    return sockets.filter(({ destroyed }) => destroyed).length;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
