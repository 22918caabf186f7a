import { BlockList, isIP } from 'node:net';
import type { Address } from './public-address.ts';

/** What an operator has opened although the address rules would deny it. */
export interface EgressAllow {
  readonly hasNetworks: boolean;
  /** A listed `host:port`: the name, its port and whatever it resolves to. */
  host(hostname: string, port: number): boolean;
  /** An address inside a listed network, on any port. */
  address(address: Address): boolean;
}

const HINT =
  'expected host:port (tools.example.internal:8080, [fd00::1]:8080) or a CIDR (10.0.0.0/8, fd00::/8)';

function isMappedAddress(network: string): boolean {
  return new URL(`http://[${network}]`).hostname.startsWith('[::ffff:');
}

function parseNetwork(entry: string): { network: string; prefix: number; family: 4 | 6 } | undefined {
  const [network = '', digits = '', ...rest] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(digits) || network.includes('%')) return undefined;
  const prefix = Number(digits);
  if (family === 4) return prefix <= 32 ? { network, prefix, family } : undefined;
  return family === 6 && prefix <= 128 && !isMappedAddress(network) ? { network, prefix, family } : undefined;
}

function parseHost(entry: string): string | undefined {
  const match = /^(\[[^\]\s]+\]|[^:/?#@\\\s[\]]+):(\d{1,5})$/.exec(entry);
  if (!match) return undefined;
  const [, host = '', digits = ''] = match;
  const port = Number(digits);
  if (port < 1 || port > 65_535 || !URL.canParse(`http://${host}/`)) return undefined;
  const url = new URL(`http://${host}/`);
  return url.port === '' ? `${url.hostname}:${port}` : undefined;
}

/** Throws one error that names every entry it cannot read. */
export function parseEgressAllow(entries: readonly string[]): EgressAllow {
  const hosts = new Set<string>();
  const networks4 = new BlockList();
  const networks6 = new BlockList();
  const wrong: string[] = [];
  for (const entry of entries.map((item) => item.trim())) {
    const network = parseNetwork(entry);
    const host = parseHost(entry);
    if (network?.family === 4) networks4.addSubnet(network.network, network.prefix, 'ipv4');
    else if (network) networks6.addSubnet(network.network, network.prefix, 'ipv6');
    else if (host !== undefined) hosts.add(host);
    else wrong.push(JSON.stringify(entry));
  }
  if (wrong.length > 0) throw new Error(`cannot read ${wrong.join(', ')}; ${HINT}`);
  return {
    hasNetworks: networks4.rules.length + networks6.rules.length > 0,
    host: (hostname, port) => hosts.has(`${hostname}:${port}`),
    address: ({ address, family }) =>
      family === 4 ? networks4.check(address, 'ipv4') : networks6.check(address, 'ipv6'),
  };
}
