import type { Problem } from '@parley/protocol/problem';
import { consoleHeader, settingsPath } from '@parley/protocol/paths';
import { signal } from '@preact/signals';
import { ApiError } from './api-error.ts';

/** Whether the session has ended since somebody signed in: what was on the screen waits until they are back. */
export const sessionEnded = signal(false);

const usualTimeoutMs = 30_000;

/** One call of the settings API. Throws `ApiError`, and what `fetch` throws. */
export async function call<Answer = void>(
  method: string,
  path: string,
  body?: unknown,
  timeoutMs = usualTimeoutMs,
): Promise<Answer> {
  const response = await fetch(settingsPath + path, {
    method,
    headers: { [consoleHeader]: '1', ...(body !== undefined && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer: unknown = isJson ? await response.json() : undefined;
  if (response.ok) return answer as Answer;
  // A wrong password is a 401 too, and ends nothing.
  if (response.status === 401 && path !== '/session') sessionEnded.value = true;
  throw new ApiError(response.status, (answer ?? {}) as Partial<Problem>);
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}
