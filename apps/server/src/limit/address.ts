import { dayMs } from '../store/day-ms.ts';
import { isIPv6 } from 'node:net';
import type { Secrets } from '../crypto/secrets.ts';

/**
 * A network address as quotas count it: IPv4 whole, IPv6 by its /64, and never in plain text. The key changes with
 * the day, so that a bucket cannot be followed for longer.
 */
export function addressBucket(secrets: Pick<Secrets, 'mac'>, address: string, now: number): string {
  return secrets.mac('address', `${Math.floor(now / dayMs)} ${addressNetwork(address)}`).slice(0, 22);
}

/** The same network under the same digest for as long as the service keeps its secret, whatever the day. */
export function networkDigest(secrets: Pick<Secrets, 'mac'>, address: string): string {
  return secrets.mac('network', addressNetwork(address)).slice(0, 22);
}

/**
 * Whom a network address stands for: IPv4 whole, IPv6 by its /64. Some proxies append a port to it in
 * `X-Forwarded-For`, which changes with every connection.
 */
export function addressNetwork(given: string): string {
  const [, bracketed, plain = given] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(given) ?? [];
  const address = bracketed ?? plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
