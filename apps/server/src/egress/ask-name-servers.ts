import { Resolver } from 'node:dns/promises';
import { errorCode } from './network-reason.ts';
import type { Address } from './public-address.ts';

/** For the first attempt; with the second one it takes 4 s, one less than whoever connects waits. */
const timeoutMs = 1_000;
const tries = 2;

/** Somewhere a name server does not answer, and would not answer to the system either. */
const silent: ReadonlySet<string> = new Set(['ETIMEOUT', 'ESERVFAIL']);

/** All addresses that the name servers of the system have for a name; null: they know none, or cannot be asked. */
export async function askNameServers(
  hostname: string,
  servers?: readonly string[],
): Promise<readonly Address[] | null> {
  // Each reads anew which servers there are.
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses: Address[] = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 }) as const),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 }) as const),
  ];
  if (addresses.length > 0) return addresses;
  const isSilent = [four, six].some(
    (each) => each.status === 'rejected' && silent.has(errorCode(each.reason)),
  );
  if (isSilent) throw Object.assign(new Error('No name server answers.'), { code: 'EAI_AGAIN' });
  return null;
}
