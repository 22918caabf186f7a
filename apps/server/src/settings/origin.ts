/** Whether `origin`, as a browser sends it, is among the listed ones. `null` never is; `https://*.host` stands for one label. */
export function originListed(origin: string, listed: Iterable<string>): boolean {
  if (origin === 'null') return false;
  for (const entry of listed) {
    if (entry === origin || entry === '*') return true;
    if (entry.startsWith('https://*.') && wildcardOf(origin) === entry) return true;
  }
  return false;
}

/** The pattern that would cover an origin: its first label replaced by `*`. */
function wildcardOf(origin: string): string {
  return origin.replace(/^https:\/\/[^./]+\./, 'https://*.');
}
