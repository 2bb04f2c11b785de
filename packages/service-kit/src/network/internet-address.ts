import { BlockList, isIP } from 'node:net';

/**
 * Whether an IP address is global unicast: a host on the public internet. Addresses with another purpose are not, nor
 * are IPv6 forms that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), because their translator
 * decides where they lead.
 */
export function isGlobalUnicast(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !RESERVED_IPV4.check(address, 'ipv4');
    case 6:
      // A zone (`%eth0`) exists only on a link.
      return !address.includes('%') && UNICAST_IPV6.check(address, 'ipv6') && !RESERVED_IPV6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** The special-purpose registries of IANA, widened to whole blocks. */
const RESERVED_IPV4 = createBlockList('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const UNICAST_IPV6 = createBlockList('ipv6', ['2000::/3']);

const RESERVED_IPV6 = createBlockList('ipv6', [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

function createLists(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const lists = new BlockList();
  addBlocks(lists, 'ipv4', ipv4);
  addBlocks(lists, 'ipv6', ipv6);
  return lists;
}

function createBlockList(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const blockList = new BlockList();
  addBlocks(blockList, family, list);
  return blockList;
}

function addBlocks(blockList: BlockList, family: 'ipv4' | 'ipv6', blocks: readonly string[]): void {
  for (const block of blocks) {
    const [net = '', prefix] = block.split('/');
    blockList.addSubnet(net, Number(prefix), family);
  }
}

/** What an address is that is not one of the public internet, for its owner. */
export function describeLocalAddress(address: string): string {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const kind = LOCAL_KINDS.find(([, list]) => list.check(address.replace(/%.*$/, ''), family))?.[0];
  return kind === undefined ? 'the address is not public' : `the address is not public: it is ${kind}`;
}

const LOCAL_KINDS = [
  ['a loopback address', createLists(['127.0.0.0/8'], ['::1/128'])],
  ['a private address', createLists(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], ['fc00::/7'])],
  ['a link-local address', createLists(['169.254.0.0/16'], ['fe80::/10'])],
] as const;

/** Whether only processes of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Whether a name cannot be one of the public internet: it has no dot, or its last part is reserved for the names of a
 * machine or a network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). Names for examples and tests are not
 * included.
 */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_SUFFIX.test(name);
}

const PRIVATE_SUFFIX = /\.(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;
