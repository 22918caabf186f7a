import type { Problem } from '@parley/protocol/problem';
import { consoleHeader, settingsPath } from '@parley/protocol/paths';
import { computed, signal } from '@preact/signals';
import { ApiError, sentenceOf } from './api-error.ts';

/** Whether the session has ended since somebody signed in: what was on the screen waits until they are back. */
export const sessionEnded = signal(false);

/** Counts what was refused to whoever is signed in: their role may be another one by now. */
export const refusals = signal(0);

/** Counts how often the service answered again after something could not be read because it was not there. */
const reconnects = signal(0);

/** What is on the screen is read, and again whenever this is another number; null: not before somebody has signed in again. */
export const revalidation = computed(() => (sessionEnded.value ? null : reconnects.value));

/** Counts who came in: what was asked before them says nothing of their session. */
let signIns = 0;

export function signedIn(): void {
  signIns += 1;
  sessionEnded.value = false;
}

/** The last thing that a member did and that failed: `count` tells two that failed alike. What is only read counts as none. */
export const lastFailure = signal({ sentence: '', count: 0 });

/** Where somebody comes in. */
const doors = ['/session', '/session/passkey'];

const usualTimeoutMs = 30_000;
/** Twenty megabytes through a slow line, and the time that it takes to read them. */
const uploadTimeoutMs = 300_000;

/** One call of the settings API. Throws `ApiError`, and what `fetch` throws. */
export async function call<Answer = void>(
  method: string,
  path: string,
  body?: unknown,
  ending: AbortSignal = AbortSignal.timeout(usualTimeoutMs),
): Promise<Answer> {
  return counted(method, path, answerOf<Answer>(method, path, jsonOf(body), ending));
}

/** Deletes what somebody else may have deleted meanwhile, which is as good. Throws as `call`. */
export const deleteIfThere = (path: string): Promise<void> =>
  counted(
    'DELETE',
    path,
    answerOf<void>('DELETE', path, null, AbortSignal.timeout(usualTimeoutMs)).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }),
  );

/** The same for what the console does by itself: that it failed is told to nobody. */
export const callUnasked = <Answer>(method: string, path: string, body: unknown): Promise<Answer> =>
  answerOf<Answer>(method, path, jsonOf(body), AbortSignal.timeout(usualTimeoutMs));

const jsonOf = (body: unknown) =>
  body === undefined ? null : { type: 'application/json', body: JSON.stringify(body) };

/** The same for a file, whose bytes are the body. */
export const upload = <Answer>(path: string, file: File): Promise<Answer> =>
  counted(
    'POST',
    path,
    answerOf<Answer>(
      'POST',
      path,
      { type: file.type || 'application/octet-stream', body: file },
      AbortSignal.timeout(uploadTimeoutMs),
    ),
  );

async function counted<Answer>(method: string, path: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    const given = await answer;
    if (method === 'GET') absences.delete(path);
    return given;
  } catch (error) {
    if (method !== 'GET')
      lastFailure.value = { sentence: sentenceOf(error), count: lastFailure.peek().count + 1 };
    else if (isAbsence(error)) void awaitService(path);
    throw error;
  }
}

/** Whether nothing answered, or a proxy did in place of a service that starts, or a service whose database does. */
const isAbsence = (error: unknown) => !(error instanceof ApiError) || [502, 503, 504].includes(error.status);

const shortestWaitMs = 5_000;
const longestWaitMs = 60_000;
/** By what could not be read: how often in a row the service was awaited because of it. */
const absences = new Map<string, number>();
let isAwaiting = false;

/** Asks for something small until that is answered, and then has what is on the screen read again. */
async function awaitService(path: string): Promise<void> {
  if (isAwaiting) return;
  isAwaiting = true;
  // What fails although the service is there may do so for good: it is read less and less often.
  const before = absences.get(path) ?? 0;
  absences.set(path, before + 1);
  const waitMs = Math.min(shortestWaitMs * 2 ** before, longestWaitMs);
  let isThere = false;
  while (!isThere) {
    // After an outage, not everybody at the same moment.
    await new Promise((resolve) => setTimeout(resolve, waitMs * (1 + Math.random())));
    while (document.hidden)
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
    const answer = answerOf('GET', '/session', null, AbortSignal.timeout(usualTimeoutMs));
    isThere = await answer.then(
      () => true,
      () => false,
    );
  }
  isAwaiting = false;
  reconnects.value += 1;
}

async function answerOf<Answer>(
  method: string,
  path: string,
  sent: { readonly type: string; readonly body: BodyInit } | null,
  signal: AbortSignal,
): Promise<Answer> {
  const askedDuring = signIns;
  const response = await fetch(settingsPath + path, {
    method,
    headers: { [consoleHeader]: '1', ...(sent && { 'content-type': sent.type }) },
    signal,
    body: sent?.body ?? null,
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer: unknown = isJson ? await response.json() : undefined;
  if (response.ok) return answer as Answer;
  // A wrong password is a 401 too, and ends nothing.
  const hasEnded = response.status === 401 && !doors.includes(path);
  if (response.status === 403 && !doors.includes(path)) refusals.value += 1;
  if (hasEnded && askedDuring === signIns) sessionEnded.value = true;
  throw new ApiError(response.status, (answer ?? {}) as Partial<Problem>, hasEnded);
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}
