/** Undefined on a page that is not served over HTTPS, and where a browser that blocks storage throws. */
export function findLocks(): LockManager | undefined {
  try {
    return navigator.locks;
  } catch {
    return undefined;
  }
}
