/** Calls back, until the signal, when the network is there again or somebody looks at the page: a device may have slept. */
export function whenAwake(signal: AbortSignal, wake: () => void): void {
  for (const told of ['online', 'visibilitychange']) globalThis.addEventListener?.(told, wake, { signal });
}
