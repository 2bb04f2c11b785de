/** The host in the form of `net` and HTTP servers: an IPv6 address without brackets. */
export function stripBrackets(host: string): string {
  return /^\[(.*)\]$/.exec(host)?.[1] ?? host;
}

/** `host:port` in the form of gRPC: an IPv6 address in brackets, with or without brackets in `host`. */
export function formatHostPort(host: string, port: number): string {
  const bare = stripBrackets(host);
  return bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
}

/** The wildcard addresses: valid to listen on, and not to connect to. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

/** Whether a listen host means every address of the machine, in any spelling. */
export function isWildcardHost(host: string): boolean {
  const url = `http://${formatHostPort(host, 1)}`;
  return URL.canParse(url) && WILDCARDS.has(new URL(url).hostname);
}
