import { findAddressGroup } from '@pos/core/rate-limits/address-group';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DroppedConnectionLog } from './dropped-connection-log.js';
import type { Log } from '../telemetry/log.js';

/** How many connections one address may hold open at a port unless a setting says otherwise. */
export const CONNECTIONS_PER_ADDRESS = 1_000;

/** How long a connection may stay open before its client has sent a byte. */
const FIRST_BYTE_TIMEOUT_MS = 30_000;

/** What one port bears of one address. */
export interface ConnectionLimits {
  /** A generous number when left out. */
  readonly perAddress?: number;
  readonly firstByteTimeoutMs?: number;
  /** Receives one line for dropped connections; without it they are dropped silently. */
  readonly log?: Pick<Log, 'warn'>;
}

/** How long a client has to read the answer that ends its connection. */
const LAST_ANSWER_TIMEOUT_MS = 2_000;

/**
 * Drops connections of an address beyond the limit as soon as they open, before a byte of them is read, and those on which
 * the client sends nothing. What comes through a proxy has the address of the proxy, which then counts as one client; so do
 * all addresses of an IPv6 subscriber.
 * Every port of every app is opened by a module that calls this.
 */
export function limitConnections(
  server: Server,
  {
    perAddress = CONNECTIONS_PER_ADDRESS,
    firstByteTimeoutMs: firstByteTimeoutMs = FIRST_BYTE_TIMEOUT_MS,
    log,
  }: ConnectionLimits = {},
): void {
  const counts = new Map<string, number>();
  const droppedConnections = log === undefined ? null : new DroppedConnectionLog(log);
  server.on('connection', (socket: Socket) => {
    const address = findAddressGroup(socket.remoteAddress ?? '');
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
 * Sends the last bytes of a connection and destroys it after two seconds at the latest. Only ended, it would stay open for
 * as long as the client keeps its own side open.
 */
export function endConnection(socket: Duplex, lastAnswer: string): void {
  const closeTimer = setTimeout(() => {
    socket.destroy();
  }, LAST_ANSWER_TIMEOUT_MS);
  socket.once('close', () => {
    clearTimeout(closeTimer);
  });
  // What the client still sends is thrown away: unread, it would hide that the client has ended its side.
  socket.resume();
  socket.end(lastAnswer);
}
