import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the network that an address belongs to for limits: an IPv4 address itself, and the /64 network of an IPv6
 * address, because one customer of a provider has a whole one.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.replace(/%.*$/, '');
  const [head = '', tail] = plain.split('::', 2);
  const groups = toGroups(head);
  const missing = 8 - groups.length - toGroups(tail ?? '').length;
  const all =
    tail === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...toGroups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** The groups of a part of an address; an IPv4 address at its end stands for two. */
function toGroups(part: string): string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (isIPv4(group) ? ['0', '0'] : [group]));
}
