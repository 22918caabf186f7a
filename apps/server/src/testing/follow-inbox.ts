import type { InboxChange, InboxItem } from '@parley/protocol/settings/inbox';
import { expect, onTestFinished } from 'vitest';
import type { SignedInMember } from './signed-in-member.ts';

/** The list of a member, as it changes. */
export async function followInbox(service: { readonly url: string }, member: SignedInMember, query = '') {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
  const response = await fetch(`${service.url}/api/v1/settings/inbox/stream${query}`, {
    headers: member.headers,
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const changes = () =>
    text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as InboxChange);
  async function until<T>(read: () => T, isThere: (seen: T) => boolean): Promise<T> {
    while (!isThere(read())) text += (await reader.read()).value ?? '';
    return read();
  }
  return {
    /** All that was sent, once it is like this. */
    changes: (isThere: (seen: readonly InboxChange[]) => boolean) => until(changes, isThere),
    /** The conversations that it said something of, as they were then. */
    items: (isThere: (seen: readonly InboxItem[]) => boolean) =>
      until(() => changes().flatMap((change) => (change.type === 'changed' ? [change.item] : [])), isThere),
  };
}
