import { isIP } from 'node:net';
import { EgressDeniedError } from './egress-denied-error.ts';
import type { EgressAllow } from './egress-allow.ts';
import { type Address, isPublicAddress } from './public-address.ts';

/** All addresses of a name, which may be one that the operator has opened. */
export type Resolve = (hostname: string, isOpened: boolean) => Promise<readonly Address[]>;

const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/** What mail servers take mail at. */
export const mailPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

export function isPrivateName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(name);
}

/** The URL as WHATWG parses it: every spelling of an IPv4 address is dotted decimal from here on. */
export function parseDestination(url: string): URL {
  if (!URL.canParse(url)) throw new EgressDeniedError('url', 'The address is not a valid URL.');
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new EgressDeniedError('scheme', 'Only http and https addresses can be called.');
  if (parsed.username !== '' || parsed.password !== '')
    throw new EgressDeniedError('credentials', 'The address must not carry a user name or password.');
  return parsed;
}

/**
 * The addresses that may be connected to for this host and port: all that it resolves to, each of them checked.
 * `hostname` is as the URL parser leaves it, an IPv6 address without brackets.
 */
export async function checkedAddresses(
  { hostname, port }: { hostname: string; port: number },
  allow: EgressAllow,
  resolve: Resolve,
  ports = PORTS,
): Promise<readonly Address[]> {
  const family = isIP(hostname);
  const host = family === 6 ? `[${hostname}]` : hostname;
  const opens = `${host}:${port}`;
  const opened = allow.host(host, port);
  const wrongPort = ports.has(port)
    ? undefined
    : new EgressDeniedError('port', `Port ${port} is not open to tools and models.`, opens);
  const wrongName =
    family === 0 && isPrivateName(hostname)
      ? new EgressDeniedError('name', `${hostname} is a name of a private network.`, opens)
      : undefined;
  const wrong = wrongPort ?? wrongName;
  if (wrong && !opened && !allow.hasNetworks) throw wrong;

  const addresses =
    family === 0
      ? await resolve(hostname, opened)
      : [{ address: hostname, family: family === 6 ? 6 : 4 } as const];
  if (addresses.length === 0) throw new EgressDeniedError('unresolved', `${hostname} has no address.`);
  if (opened) return addresses;
  for (const address of addresses) {
    if (allow.address(address)) continue;
    if (wrong) throw wrong;
    if (!isPublicAddress(address))
      throw new EgressDeniedError(
        'address',
        `${hostname} is or resolves to an address that is not on the public internet.`,
        opens,
      );
  }
  return addresses;
}
