import { BlockList } from 'node:net';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

// One list per family: in a shared list an IPv6 rule over the mapped range would also match every public IPv4 address.
const special4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A cloud's metadata service at an address that is otherwise public.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special4.addSubnet(network, prefix, 'ipv4');
}

const special6 = new BlockList();
for (const [network, prefix] of [
  // All but global unicast, 2000::/3: loopback, mapped and translated IPv4, unique local, link local, multicast.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  special6.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address belongs to the public internet and embeds no IPv4 address that might not. */
export function isPublicAddress({ address, family }: Address): boolean {
  return family === 4 ? !special4.check(address, 'ipv4') : !special6.check(address, 'ipv6');
}
