import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { InputResponse } from '@parley/protocol/ask';
import { maxContextLength, maxInputResponses } from '@parley/protocol/bounds';
import type { MessageBody } from '../session/queue-item.ts';
import { roomBefore } from '../session/message-fits.ts';
import type { TurnContext } from './context.ts';
import { cutToJsonBytes } from './json-bytes.ts';

/** Requests are looked for in so many pages of the log's `input.requested` events, newest first. */
const maxPages = 16;
const page = 8;

/**
 * Answers to requests that are not open, as the user message they are turned into; null when there are none. However
 * many an item of an earlier version holds, as many are read as one request may bring now.
 */
export async function lateResponses(
  context: TurnContext,
  stale: readonly InputResponse[],
  beside: MessageBody | null,
): Promise<MessageBody | null> {
  if (stale.length === 0) return null;
  const read = stale.slice(0, maxInputResponses);
  const labels = await optionLabels(context, read);
  const lines = read.map(
    ({ requestId, optionId, text }) => text ?? labels.get(labelKey(requestId, optionId)) ?? optionId ?? '',
  );
  const text = cutToJsonBytes(lines.join('\n'), Math.min(roomBefore(beside), maxContextLength));
  const answers = cutToJsonBytes(JSON.stringify(read), maxContextLength);
  const left = stale.length - read.length;
  const more = left > 0 ? `, and ${left} more answers` : '';
  const modelText = `${text}\n\n(This answers a request that is no longer open: ${answers}${more})`;
  return { text, parts: [{ type: 'text', text }], fileIds: [], modelText };
}

const labelKey = (requestId: string, optionId: string | undefined) => JSON.stringify([requestId, optionId]);

/** The labels of the options that were chosen, in one pass over what was asked in the session. */
async function optionLabels(
  { store, session }: TurnContext,
  responses: readonly InputResponse[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(responses.flatMap(({ requestId, text }) => (text === undefined ? [requestId] : [])));
  const labels = new Map<string, string>();
  let before = session.nextIndex;
  for (let pages = 0; pages < maxPages && wanted.size > 0; pages += 1) {
    const events = await store.listInputRequests(session.id, before, page);
    for (const { event, index } of events) {
      before = index;
      if (event.type !== 'input.requested') continue;
      for (const { requestId, options = [] } of event.data.requests) {
        if (!wanted.delete(requestId)) continue;
        for (const { id, label } of options) labels.set(labelKey(requestId, id), label);
      }
    }
    if (events.length < page) break;
    await nextImmediate();
  }
  return labels;
}
