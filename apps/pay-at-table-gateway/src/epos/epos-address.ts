import { isGlobalUnicast, isLoopback } from '@pos/service-kit/internet-address';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Where to connect, or why not. */
export type EposAddress =
  | {
      readonly isAllowed: true;
      /** As gRPC takes it, with a checked address. */
      readonly target: string;
      /** The name that the certificate must carry. */
      readonly authority: string;
      readonly isPlaintext: boolean;
    }
  | { readonly isAllowed: false; readonly reason: string };

/** What the operator of the gateway allows beyond the public internet. */
export interface EposReach {
  /** Exact `host:port` pairs that may be called wherever they are. */
  readonly allow: readonly string[];
  /** EPOSes of sandbox accounts may be called without TLS, on loopback or where the list says so. */
  readonly allowsPlaintext: boolean;
}

/**
 * Resolves the registered address of an EPOS once and judges every address it has: only public ones are connected to,
 * and exactly those that were judged, so a name server has no second answer to change its mind in.
 */
export async function resolveEpos(
  url: string,
  { reach, isSandbox }: { readonly reach: EposReach; readonly isSandbox: boolean },
): Promise<EposAddress> {
  const read = readUrl(url);
  if (read === null) return refused('the registered URL is not https://host:port');
  const { host, port, isPlaintext } = read;
  const authority = `${host}:${port}`;
  const isListed = reach.allow.includes(authority);
  if (isPlaintext) {
    if (!isSandbox || !reach.allowsPlaintext) return refused('an EPOS is dialled with TLS only');
    if (!isListed && !isLoopback(host)) return refused('without TLS only loopback and listed addresses are dialled');
    return { isAllowed: true, target: authority, authority, isPlaintext };
  }
  if (isListed) return { isAllowed: true, target: authority, authority, isPlaintext };
  const addresses = await addressesOf(host);
  const [first] = addresses;
  if (first === undefined) return refused('the name has no address');
  if (!addresses.every(isGlobalUnicast)) return refused('the address is not public');
  const target = isIP(first) === 6 ? `ipv6:[${first}]:${port}` : `ipv4:${first}:${port}`;
  return { isAllowed: true, target, authority, isPlaintext };
}

const SCHEMES = new Map([
  ['https:', false],
  ['grpcs:', false],
  ['http:', true],
  ['grpc:', true],
]);
const STANDARD_PORT = '443';

function readUrl(text: string): { host: string; port: string; isPlaintext: boolean } | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlaintext = url === null ? undefined : SCHEMES.get(url.protocol);
  if (url === null || isPlaintext === undefined || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '') return null;
  return { host: url.hostname, port: url.port === '' ? STANDARD_PORT : url.port, isPlaintext };
}

async function addressesOf(host: string): Promise<string[]> {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return [literal];
  try {
    return (await lookup(literal, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function refused(reason: string): EposAddress {
  return { isAllowed: false, reason };
}
