import { findAddressGroup } from '@pos/core/rate-limits';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECTIONS_PER_ADDRESS } from '../config/config.js';
import { DroppedConnectionLog } from './dropped-connection-log.js';
import { isLoopback } from './internet-address.js';
import type { NetworkList } from './network-list.js';
import type { Log } from '../telemetry/log.js';

/** How long a connection may stay open before its client has sent a byte. */
const FIRST_BYTE_TIMEOUT_MS = 30_000;

/** The limits of one port for one address. */
export interface ConnectionLimits {
  /** The default is generous. */
  readonly perAddress?: number;
  readonly firstByteTimeoutMs?: number;
  /** The networks that may connect besides this machine; null where everybody may. */
  readonly admitted?: NetworkList | null;
  /** Receives one line for dropped connections; without it they are dropped silently. */
  readonly log?: Pick<Log, 'warn'>;
}

/** A server, or what passes on the connections of one. */
export interface ConnectionSource {
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
}

/** How long a client has to read the answer that ends its connection. */
const LAST_ANSWER_TIMEOUT_MS = 2_000;

/**
 * Drops connections of an address beyond the limit as soon as they open, before a byte is read, those of addresses that
 * are not admitted, and connections whose client sends nothing. Connections through a proxy have the proxy's address, which then counts as one client; so do
 * all addresses of an IPv6 subscriber. Every module that opens a port of an app calls this.
 */
export function limitConnections(
  server: ConnectionSource,
  {
    perAddress = CONNECTIONS_PER_ADDRESS,
    firstByteTimeoutMs = FIRST_BYTE_TIMEOUT_MS,
    admitted = null,
    log,
  }: ConnectionLimits = {},
): void {
  const counts = new Map<string, number>();
  const droppedConnections = log === undefined ? null : new DroppedConnectionLog(log);
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (admitted !== null && !admitted.has(peer) && !isLoopback(peer.replace(/^::ffff:/, ''))) {
      socket.destroy();
      droppedConnections?.logStranger(peer);
      return;
    }
    const address = findAddressGroup(peer);
    const count = (counts.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      droppedConnections?.logDrop(address, perAddress);
      return;
    }
    counts.set(address, count);
    const firstByteTimer = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, firstByteTimeoutMs).unref();
    socket.once('close', () => {
      clearTimeout(firstByteTimer);
      const openCount = (counts.get(address) ?? 1) - 1;
      if (openCount === 0) counts.delete(address);
      else counts.set(address, openCount);
    });
  });
}

/**
 * Sends the last bytes of a connection and destroys it after two seconds at the latest. With `end` only, it would stay
 * open as long as the client keeps its own side open.
 */
export function endConnection(socket: Duplex, lastAnswer: string): void {
  const closeTimer = setTimeout(() => {
    socket.destroy();
  }, LAST_ANSWER_TIMEOUT_MS);
  socket.once('close', () => {
    clearTimeout(closeTimer);
  });
  // Discards what the client still sends. Unread data would hide that the client has ended its side.
  socket.resume();
  socket.end(lastAnswer);
}
