import { lookup } from 'node:dns/promises';
import { askNameServers } from './ask-name-servers.ts';
import { isPrivateName, type Resolve } from './destination.ts';
import { createHostsFile } from './hosts-file.ts';
import type { Address } from './public-address.ts';
import { createSemaphore } from './semaphore.ts';

/** Names that are asked for once for all who wait for them; beyond, each asks for itself. */
const maxShared = 1_000;
/** A look takes one of the few threads of the process for as long as no name server answers to the system. */
const parallelLooks = 1;
const lookWaitMs = 5_000;

interface ResolveDeps {
  /** Null: they know no such name. */
  readonly ask: (hostname: string) => Promise<readonly Address[] | null>;
  /** As the system resolves it, by whatever it is set up with. */
  readonly look: (hostname: string) => Promise<readonly Address[]>;
  readonly isInHostsFile: (hostname: string) => Promise<boolean>;
}

async function lookedUp(hostname: string): Promise<readonly Address[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/**
 * Asks name servers without a thread, so that one that is dead holds up nobody but those who wait for it. The system is
 * asked for what they do not know: names of its own, of the operator, and those of whatever else it resolves by.
 */
export function createSystemResolve(
  { ask, look, isInHostsFile }: ResolveDeps = {
    ask: askNameServers,
    look: lookedUp,
    isInHostsFile: createHostsFile('/etc/hosts'),
  },
): Resolve {
  const looks = createSemaphore(parallelLooks);
  const running = new Map<string, Promise<readonly Address[]>>();

  async function resolved(hostname: string, isOpened: boolean): Promise<readonly Address[]> {
    if (isOpened || isPrivateName(hostname) || (await isInHostsFile(hostname))) return look(hostname);
    const found = await ask(hostname);
    if (found !== null) return found;
    const release = await looks.take('', AbortSignal.timeout(lookWaitMs));
    try {
      return await look(hostname);
    } finally {
      release();
    }
  }

  return (hostname, isOpened) => {
    const key = `${isOpened} ${hostname}`;
    const shared = running.get(key);
    if (shared) return shared;
    if (running.size >= maxShared) return resolved(hostname, isOpened);
    const resolving = resolved(hostname, isOpened).finally(() => running.delete(key));
    running.set(key, resolving);
    return resolving;
  };
}
