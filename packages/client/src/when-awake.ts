/** Tells `online` and `visibilitychange`, as a page's window does; elsewhere nothing may tell them. */
export type WakeEvents = Partial<Pick<EventTarget, 'addEventListener'>>;

/** Calls back, until the signal, when the network is there again or somebody looks at the page: a device may have slept. */
export function whenAwake(
  { events = globalThis }: { events?: WakeEvents },
  signal: AbortSignal,
  wake: () => void,
): void {
  for (const told of ['online', 'visibilitychange']) events.addEventListener?.(told, wake, { signal });
}
