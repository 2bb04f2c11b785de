/** The host as `net` and HTTP servers take it: an IPv6 address without brackets. */
export function stripBrackets(host: string): string {
  return /^\[(.*)\]$/.exec(host)?.[1] ?? host;
}

/** `host:port` as gRPC ports are opened and dialled: an IPv6 address in brackets, whether the host had them or not. */
export function formatHostPort(host: string, port: number): string {
  const bare = stripBrackets(host);
  return bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
}

/** Every address of the machine: to be listened on, and not to be connected to. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

/** Whether a host to listen on means every address of the machine, however it is written. */
export function isWildcardHost(host: string): boolean {
  const url = `http://${formatHostPort(host, 1)}`;
  return URL.canParse(url) && WILDCARDS.has(new URL(url).hostname);
}
