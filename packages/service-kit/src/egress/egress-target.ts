import { isIP } from 'node:net';
import { describeLocalAddress, isGlobalUnicast, isLoopback, isPrivateName } from '../network/internet-address.js';

// The same parser checks URLs when they are registered and when they are called: `URL` converts every spelling of an
// IPv4 address (`127.1`, `2130706433`, `0x7f000001`) into the one that is checked.

const URL_LENGTH_MAX = 2_048;

/** Ports that browsers block, and those of databases: no webhook needs them. */
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379,
  3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9200, 10080,
  11211, 27017,
]);

/** A URL whose form allows a call, or the reason why it does not. */
export function parseEgressTarget(text: string, allowsPlaintext: boolean): URL | string {
  if (text.length > URL_LENGTH_MAX) return `the URL is longer than ${URL_LENGTH_MAX} characters`;
  const target = URL.canParse(text) ? new URL(text) : null;
  if (target === null) return 'the URL cannot be read';
  if (target.protocol !== 'https:' && !(allowsPlaintext && target.protocol === 'http:')) return 'only https is called';
  if (target.username !== '' || target.password !== '') return 'the URL carries credentials';
  return target;
}

/** Why a target is never called, for every address of its name. Null where the resolved addresses decide. */
export function findTargetObjection(target: URL): string | null {
  if (BLOCKED_PORTS.has(getPort(target))) return `port ${getPort(target)} is never called`;
  const hostname = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // A literal address is connected to without a lookup, so it is checked here.
  if (isIP(hostname) !== 0) return isGlobalUnicast(hostname) ? null : describeLocalAddress(hostname);
  return isPrivateName(hostname) ? NAME_NOT_PUBLIC : null;
}

/** Why a target without TLS is not called as one of this machine; null for `localhost` and addresses of loopback. */
export function findLoopbackObjection(target: URL): string | null {
  if (BLOCKED_PORTS.has(getPort(target))) return `port ${getPort(target)} is never called`;
  return isLoopback(target.hostname) ? null : 'without https only localhost and addresses of loopback are called';
}

const NAME_NOT_PUBLIC = 'the name is not one of the public internet';

/** `host:port`, with the default port of the scheme where the URL has none. */
export function formatTargetHost(target: URL): string {
  return `${target.hostname}:${getPort(target)}`;
}

function getPort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
}
