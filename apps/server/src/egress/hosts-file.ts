import { readFile } from 'node:fs/promises';

/** How long what was read counts. */
const readEveryMs = 10_000;

/** Whether a name stands in a file like `/etc/hosts`, which goes before name servers. Nothing stands in one that cannot be read. */
export function createHostsFile(path: string): (hostname: string) => Promise<boolean> {
  let readAt = -Infinity;
  let names: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  return async (hostname) => {
    if (performance.now() - readAt > readEveryMs) {
      readAt = performance.now();
      names = readFile(path, 'utf8').then(namesIn, () => new Set());
    }
    return (await names).has(hostname.toLowerCase().replace(/\.$/, ''));
  };
}

function namesIn(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase());
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)));
}
