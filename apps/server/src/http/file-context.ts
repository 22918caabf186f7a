import type { Request } from 'express';
import type { Secrets } from '../secret/secrets.ts';
import type { FileContext } from '../session/message-files.ts';
import { addressBucket } from './address.ts';
import type { Caller } from './caller.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Whose the files of a request are, and what they count as. A secret key's caller is a server: its address says nothing. */
export function fileContext(secrets: Secrets, request: Request, caller: Caller): FileContext {
  const { key, agent, owner, visitor } = caller;
  const { limits } = agent.settings;
  const address = `${agent.id}:${addressBucket(secrets, request.ip ?? '', Date.now())}`;
  const perAddress = key.kind === 'publishable';
  const uploads = [
    { scope: `uploads:key:${key.id}`, limit: limits.uploadsPerKeyPerDay, windowMs: dayMs, amount: 1 },
    ...(perAddress
      ? [
          {
            scope: `uploads:address:${address}`,
            limit: limits.uploadsPerAddressPerMinute,
            windowMs: minuteMs,
            amount: 1,
          },
        ]
      : []),
  ];
  const bytes = [
    { scope: `bytes:key:${key.id}`, limit: limits.storedBytesPerKeyPerDay, windowMs: dayMs },
    ...(perAddress
      ? [{ scope: `bytes:address:${address}`, limit: limits.storedBytesPerAddressPerDay, windowMs: dayMs }]
      : []),
  ];
  return {
    ...owner,
    visitor,
    quotas: { uploads, bytes },
    maxSessionBytes: limits.storedBytesPerSession,
    again: false,
  };
}
