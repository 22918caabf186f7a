import type { Environment } from '../environment.ts';

/** Does it while no other tab does, once. Where there are no locks, or they are not allowed, it is done at once. */
export function alone(
  locks: Environment['locks'],
  name: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  let done: Promise<unknown> | undefined;
  const once = () => (done ??= work());
  const locked = async () => (locks ? locks.request(name, once) : once());
  return locked().catch(once);
}
