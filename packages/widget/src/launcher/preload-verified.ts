/**
 * Loads a module that hashes to what it must, before it is imported: `import()` cannot be told a hash, but a module is
 * loaded once.
 */
export function preloadVerified(address: string, sha256: string, nonce: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.crossOrigin = '';
  link.nonce = nonce;
  link.integrity = `sha256-${sha256}`;
  link.href = address;
  document.head.append(link);
}
