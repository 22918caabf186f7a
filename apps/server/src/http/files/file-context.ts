import { dayMs } from '../../store/day-ms.ts';
import type { FileContext } from '../../session/message-files.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';

const minuteMs = 60_000;

/** The owner of a request's files, and the quotas they count against. */
export function fileContext({ key, agent, owner, visitor, address }: KeyPrincipal): FileContext {
  const { limits } = agent.settings;
  const uploads = [
    { scope: `uploads:key:${key.id}`, limit: limits.uploadsPerKeyPerDay, windowMs: dayMs, amount: 1 },
  ];
  const bytes = [{ scope: `bytes:key:${key.id}`, limit: limits.storedBytesPerKeyPerDay, windowMs: dayMs }];
  if (address !== null) {
    const { uploadsPerAddressPerMinute, storedBytesPerAddressPerDay } = limits;
    uploads.push({
      scope: `uploads:address:${address}`,
      limit: uploadsPerAddressPerMinute,
      windowMs: minuteMs,
      amount: 1,
    });
    bytes.push({ scope: `bytes:address:${address}`, limit: storedBytesPerAddressPerDay, windowMs: dayMs });
  }
  return {
    ...owner,
    visitor,
    quotas: { uploads, bytes },
    maxSessionBytes: limits.storedBytesPerSession,
    again: false,
  };
}
