import { BlockList, isIP } from 'node:net';

/** A set of addresses and networks, such as `10.0.0.0/8` or `2001:db8::1`. */
export class NetworkList {
  readonly #addresses = new BlockList();

  /** The entries have the form that `trustedProxiesSetting` accepts. */
  constructor(readonly entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', prefix] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#addresses.addAddress(address, family);
      else this.#addresses.addSubnet(address, Number(prefix), family);
    }
  }

  /** Whether it contains an IP address. An IPv4 address is found in its IPv6 form, too. */
  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#addresses.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}
