/** Words of a host's name that say nothing of whose it is. */
const usual = new Set(['www', 'mcp', 'api', 'app', 'server']);
const maxLength = 24;

/** A short name for what is at an address, or an empty one. */
export function nameOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? '';
  const words = host.split('.').filter((word) => /^[a-z]/.test(word) && !usual.has(word));
  return (words[0] ?? '').replaceAll(/[^a-z0-9-]/g, '').slice(0, maxLength);
}
