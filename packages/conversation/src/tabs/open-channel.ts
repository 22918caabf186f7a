import type { Channel, Environment } from '../environment.ts';

/** Null where there is none, or storage is blocked: Firefox then throws, and there is nothing that tabs could share. */
export function openChannel({ openChannel: open }: Environment, name: string): Channel | null {
  try {
    return open?.(name) ?? null;
  } catch {
    return null;
  }
}
