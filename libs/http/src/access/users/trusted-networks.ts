import { BlockList, isIP, isIPv4 } from 'node:net';

/** Words for networks, as libraries for `X-Forwarded-For` use them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** An IPv4 address as a server on IPv6 reports it. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** Returns an address in the form that people write: `::ffff:10.1.2.3` is `10.1.2.3`. */
export function toPlainAddress(address: string): string {
  return address.replace(MAPPED, '');
}

/** Addresses that the operator trusts: single ones, networks as `address/prefix`, and words for networks. */
export class TrustedNetworks {
  private readonly list = new BlockList();

  constructor(names: readonly string[]) {
    for (const name of names.flatMap((each) => WORDS[each] ?? [each])) {
      const [address = '', prefix] = name.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (prefix === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(prefix), family);
    }
  }

  /** True when an address is in one of the networks; false for a text that is no address. */
  covers(address: string | undefined): boolean {
    const plain = toPlainAddress(address ?? '');
    const family = isIP(plain);
    return family !== 0 && this.list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  }
}
