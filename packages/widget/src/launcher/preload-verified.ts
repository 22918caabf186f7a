/**
 * Loads modules that hash to what they must, before they are imported: `import()` cannot be told a hash, but a module
 * is loaded once. Of the languages, two letters each, only the one that will be wanted.
 */
export function preloadVerified(
  hashes: Record<string, string>,
  base: string,
  nonce: string,
  locale: string,
): void {
  for (const [path, integrity] of Object.entries(hashes)) {
    if (/^..-/.test(path) && !locale.startsWith(path.slice(0, 2))) continue;
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.nonce = nonce;
    link.integrity = `sha256-${integrity}`;
    link.href = `${base}/assets/${path}.js`;
    document.head.append(link);
  }
}
