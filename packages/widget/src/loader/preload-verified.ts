/**
 * Loads a module that hashes to what it must, before it is imported: `import()` cannot be told a hash, but a module is
 * loaded once. One that does not is forgotten, and would be loaded again by whatever imports it: rejects then.
 */
export function preloadVerified(address: string, sha256: string, nonce: string): Promise<unknown> {
  const link = document.createElement('link');
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(Error(address));
  });
  link.rel = 'modulepreload';
  link.crossOrigin = '';
  link.nonce = nonce;
  link.integrity = `sha256-${sha256}`;
  link.href = address;
  document.head.append(link);
  return loaded;
}
