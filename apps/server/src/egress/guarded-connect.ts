import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { checkedAddresses, type Resolve } from './destination.ts';
import type { EgressAllow } from './egress-allow.ts';
import { EgressDeniedError } from './egress-denied-error.ts';
import type { Address } from './public-address.ts';

const CONNECT_TIMEOUT_MS = 5_000;

function pinnedLookup(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function isOneOf(addresses: readonly Address[], remote: string | undefined): boolean {
  const list = new BlockList();
  for (const { address, family } of addresses) list.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
  if (remote === undefined) return false;
  return (isIPv4(remote) && list.check(remote, 'ipv4')) || (isIPv6(remote) && list.check(remote, 'ipv6'));
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = Object.assign(new Error('The name was not resolved in time.'), {
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
  const timer = setTimeout(() => reject(late), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Opens the sockets of every dispatcher here. The host is resolved and checked for each new connection, the socket goes to
 * a checked address and to no other, while Host and SNI stay the name.
 */
export function guardedConnect(
  allow: EgressAllow,
  resolve: Resolve,
  ports?: ReadonlySet<number>,
): buildConnector.connector {
  const dial = async (options: buildConnector.Options): ReturnType<typeof connectTo> => {
    const hostname = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const addresses = await within(
      checkedAddresses({ hostname, port }, allow, resolve, ports),
      CONNECT_TIMEOUT_MS,
    );
    const socket = await connectTo({ ...options, hostname }, addresses);
    if (isOneOf(addresses, socket.remoteAddress)) return socket;
    socket.destroy();
    throw new EgressDeniedError('address', `${hostname} was reached at an address that was not checked.`);
  };
  return (options, callback) => {
    dial(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

function connectTo(options: buildConnector.Options, addresses: readonly Address[]) {
  // No session cache: a resumed TLS session would tie one tenant's connection to another's.
  const connect = buildConnector({
    lookup: pinnedLookup(addresses),
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    maxCachedSessions: 0,
  });
  return new Promise<Extract<Parameters<buildConnector.Callback>, [null, unknown]>[1]>((done, fail) =>
    connect(options, (...[error, socket]) => (error ? fail(error) : done(socket))),
  );
}
