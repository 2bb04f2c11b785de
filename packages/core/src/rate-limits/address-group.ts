const MAPPED_V4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The group under which limits count an address: for IPv6 its /64, which is what one subscriber has; for IPv4 the
 * address itself, also where an IPv6 address contains it. A port is ignored; after IPv6 it must follow brackets.
 */
export function findAddressGroup(address: string): string {
  const host = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([^:]+):\d+$/.exec(address)?.[1] ?? address;
  const mapped = MAPPED_V4.exec(host)?.[1];
  if (mapped !== undefined) return mapped;
  if (!host.includes(':')) return host;
  const [head = '', tail] = host.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
