import { describeLocalAddress, isGlobalUnicast, isLoopback } from '@pos/service-kit/network';
import { NO_PUBLIC_ADDRESS, resolveName } from '@pos/service-kit/egress';
import { isIP } from 'node:net';

/** The address to connect to, or why it is refused. */
export type EposAddress =
  | {
      readonly isAllowed: true;
      /** The target for gRPC, with a checked IP address. */
      readonly target: string;
      /** The name that the certificate must have. */
      readonly authority: string;
      readonly isPlaintext: boolean;
    }
  | { readonly isAllowed: false; readonly reason: string };

/** The addresses beyond the public internet that the operator of the gateway allows. */
export interface EposAddressPolicy {
  /** Exact `host:port` pairs that may be called wherever they are. */
  readonly allow: readonly string[];
  /** EPOSes of sandbox accounts may be called without TLS, on loopback or at the addresses of the list. */
  readonly allowsPlaintext: boolean;
}

/**
 * Resolves the registered address of an EPOS once and checks every address it has: only public ones are connected to,
 * and exactly those that were checked, so a second answer of a name server changes nothing.
 */
export async function resolveEposAddress(
  url: string,
  {
    reach,
    isSandbox,
    resolve = resolveName,
  }: {
    readonly reach: EposAddressPolicy;
    readonly isSandbox: boolean;
    readonly resolve?: (host: string) => Promise<readonly string[]>;
  },
): Promise<EposAddress> {
  const parsedUrl = parseEposUrl(url);
  if (parsedUrl === null) return denyAddress('the registered URL is not https://host:port');
  const { host, port, isPlaintext } = parsedUrl;
  const authority = `${host}:${port}`;
  const isAllowListed = reach.allow.includes(authority);
  if (isPlaintext) {
    if (!isSandbox || !reach.allowsPlaintext) return denyAddress('an EPOS is dialled with TLS only');
    if (!isAllowListed && !isLoopback(host))
      return denyAddress('without TLS only loopback and listed addresses are dialled');
    return { isAllowed: true, target: authority, authority, isPlaintext };
  }
  if (isAllowListed) return { isAllowed: true, target: authority, authority, isPlaintext };
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isGlobalUnicast(literal)) return denyAddress(describeLocalAddress(literal));
  // The failure is the same for an address that is not public and for none: it must not reveal names of our own network.
  const addresses = isIP(literal) !== 0 ? [literal] : await resolve(literal).catch(() => []);
  const [first] = addresses;
  if (first === undefined || !addresses.every(isGlobalUnicast)) return denyAddress(NO_PUBLIC_ADDRESS);
  const target = isIP(first) === 6 ? `ipv6:[${first}]:${port}` : `ipv4:${first}:${port}`;
  return { isAllowed: true, target, authority, isPlaintext };
}

const PLAINTEXT_BY_SCHEME = new Map([
  ['https:', false],
  ['grpcs:', false],
  ['http:', true],
  ['grpc:', true],
]);
const DEFAULT_PORT = '443';

function parseEposUrl(text: string): { host: string; port: string; isPlaintext: boolean } | null {
  const scheme = /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const isPlaintext = PLAINTEXT_BY_SCHEME.get(scheme);
  // `URL` normalises the host of a scheme that it supports into the form that is checked, and leaves others as written.
  const webUrl = `https:${text.slice(scheme.length)}`;
  const url = URL.canParse(webUrl) ? new URL(webUrl) : null;
  if (url === null || isPlaintext === undefined || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '') return null;
  return { host: url.hostname, port: url.port === '' ? DEFAULT_PORT : url.port, isPlaintext };
}

function denyAddress(reason: string): EposAddress {
  return { isAllowed: false, reason };
}
