/** Null where storage is blocked: Firefox then throws, and there is nothing that tabs could share. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
