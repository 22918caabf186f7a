import type { HttpToolRequest } from '@parley/protocol/settings/http-tool';
import type { EgressAnswer, EgressFailure, EgressRequest } from '../../egress/egress.ts';
import type { ToolExchange } from '../source.ts';
import { fillRequest } from './http-request.ts';
import { createRedactor } from '../redact.ts';
import { mapSecrets, requestTemplate } from './secret-values.ts';
import type { Arguments } from './template.ts';

/** Characters of a body that are shown. */
const maxShown = 20_000;
const redacted = '[redacted]';

/** What was sent and what came back, without a secret in it. */
export function shownExchange(
  template: HttpToolRequest,
  input: Arguments,
  sent: EgressRequest,
  answer: EgressAnswer | EgressFailure,
): ToolExchange {
  const { query, body, ...rest } = template;
  const hide = (value: unknown) => mapSecrets(value, () => redacted);
  const hidden = {
    ...rest,
    ...(query && { query: hide(query) }),
    ...(body !== undefined && { body: hide(body) }),
  } as HttpToolRequest;
  // Filled anew from a template that holds no secret: then it does not matter how short one is, or what is like it.
  const shown = fillRequest(requestTemplate(hidden).template, input);
  const secretHeaders = new Set(Object.keys(template.headers ?? {}).map((name) => name.toLowerCase()));
  const headers = Object.entries(sent.headers).map(([name, value]) => [
    name,
    secretHeaders.has(name.toLowerCase()) ? redacted : value,
  ]);
  return {
    request: {
      method: sent.method,
      url: shown.url,
      headers: Object.fromEntries(headers),
      body: shown.body === undefined ? null : cut(shown.body),
    },
    response: shownResponse(template, answer),
  };
}

function shownResponse(
  template: HttpToolRequest,
  answer: EgressAnswer | EgressFailure,
): ToolExchange['response'] {
  if (!('status' in answer)) return null;
  const redactor = createRedactor(template.headers ?? {}, requestTemplate(template).secrets);
  const text = answer.outcome === 'answer' ? redactor.text(answer.text) : '';
  const headers = {
    ...(answer.outcome === 'answer' && answer.contentType !== '' && { 'content-type': answer.contentType }),
    ...(answer.outcome === 'answer' && answer.etag !== null && { etag: answer.etag }),
    ...(answer.outcome === 'redirect' && answer.location !== null && { location: answer.location }),
  };
  const shown = Object.entries(headers).map(([name, value]) => [name, redactor.text(cut(value))]);
  return {
    status: answer.status,
    headers: Object.fromEntries(shown),
    body: cut(text),
    cut: text.length > maxShown,
  };
}

const cut = (text: string): string => text.slice(0, maxShown).toWellFormed();
