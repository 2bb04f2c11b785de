import { isIP } from 'node:net';
import type { NetworkList } from './network-list.js';

/**
 * The address of the client that sent a request: the last one in `x-forwarded-for` that no trusted proxy has. Only what a
 * trusted proxy appended is read, so a client cannot choose its address.
 */
export function findClientAddress(
  { peer, forwardedFor }: { readonly peer: string; readonly forwardedFor: string | undefined },
  proxies: NetworkList,
): string {
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  let address = peer;
  for (const hop of hops.reverse()) {
    if (!proxies.has(address) || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}
