import type { InputResponse } from '@parley/protocol/ask';
import type { MessageBody } from '../session/item.ts';
import { logPages } from '../session/log-pages.ts';
import type { TurnContext } from './context.ts';

/** Answers to requests that are not open, as the user message they are turned into; null when there are none. */
export async function staleMessage(
  context: TurnContext,
  stale: readonly InputResponse[],
): Promise<MessageBody | null> {
  if (stale.length === 0) return null;
  const lines: string[] = [];
  for (const response of stale) {
    lines.push(response.text ?? (await optionLabel(context, response)) ?? response.optionId ?? '');
  }
  const text = lines.join('\n');
  const modelText = `${text}\n\n(This answers a request that is no longer open: ${JSON.stringify(stale)})`;
  return { text, parts: [{ type: 'text', text }], fileIds: [], modelText };
}

async function optionLabel(
  { store, session }: TurnContext,
  { requestId, optionId }: InputResponse,
): Promise<string | null> {
  for await (const events of logPages(store, session.id)) {
    for (const { event } of events) {
      if (event.type !== 'input.requested') continue;
      const request = event.data.requests.find((candidate) => candidate.requestId === requestId);
      if (request) return request.options?.find(({ id }) => id === optionId)?.label ?? null;
    }
  }
  return null;
}
