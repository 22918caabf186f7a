import type { Egress, EgressRequest } from '../../egress/egress.ts';

const pageTimeoutMs = 15_000;
const maxRedirects = 5;
export const userAgent = 'ParleyReader';

export type FetchedPage =
  | {
      readonly outcome: 'page';
      /** Where it was found in the end. */
      readonly address: string;
      readonly mediaType: string;
      readonly text: string;
      readonly version: string | null;
      readonly contentSecurityPolicy: string | null;
    }
  | { readonly outcome: 'unchanged' }
  /** `gone`: the far side says that there is no such page. `status`: what it answered in the end, without a page; null: nothing. */
  | {
      readonly outcome: 'problem';
      readonly gone: boolean;
      readonly status: number | null;
      readonly message: string;
    };

interface PageRequest extends Pick<EgressRequest, 'tenantId' | 'signal' | 'stream'> {
  readonly url: string;
  /** What was read last time, to be asked with. */
  readonly version: string | null;
  /** The media types that are asked for. */
  readonly accept: string;
  /** The body is text, whatever type it is said to have. */
  readonly isText?: boolean;
  /** How long its body may take, where it is more than a page. */
  readonly timeoutMs?: number;
  /** Whether a redirect may lead there. */
  readonly follows: (url: URL) => boolean;
}

/** One page, through redirects that are each judged by the egress rules and by the caller. Never rejects for what the far side does. */
export async function fetchPage(
  egress: Pick<Egress, 'request'>,
  {
    tenantId,
    signal,
    version,
    accept,
    follows,
    isText = false,
    timeoutMs = pageTimeoutMs,
    stream,
    ...request
  }: PageRequest,
): Promise<FetchedPage> {
  let url = request.url;
  let status: number | null = null;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await egress.request({
      // What is read for a tenant waits for itself, and never for a tool.
      tenantId: `${tenantId} reading`,
      method: 'GET',
      url,
      headers: {
        'user-agent': userAgent,
        accept,
        ...(version !== null && /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(version) && { 'if-none-match': version }),
      },
      timeoutMs,
      signal,
      isText,
      ...(stream && { stream }),
    });
    if (answer.outcome === 'answer') {
      const { contentType, contentSecurityPolicy, text } = answer;
      status = answer.status;
      if (status !== 200) {
        const gone = status === 404 || status === 410;
        return { outcome: 'problem', gone, status, message: `The address answered ${status}.` };
      }
      const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'text/html';
      return { outcome: 'page', address: url, mediaType, text, version: answer.etag, contentSecurityPolicy };
    }
    if (answer.outcome !== 'redirect') {
      // Where a website leads to, it has chosen: nobody is told how to open that.
      const isNamed = answer.outcome === 'denied' && redirects === 0;
      const message = isNamed ? answer.explanation : answer.message;
      return { outcome: 'problem', gone: false, status: null, message };
    }
    status = answer.status;
    if (status === 304) return { outcome: 'unchanged' };
    const target = answer.location === null ? null : URL.parse(answer.location, url);
    if (target === null || !/^https?:$/.test(target.protocol))
      return {
        outcome: 'problem',
        gone: false,
        status,
        message: 'The address redirects to none that can be read.',
      };
    if (!follows(target))
      return {
        outcome: 'problem',
        gone: true,
        status,
        message: `The address redirects to another website, ${target.host}.`,
      };
    url = target.href;
  }
  return {
    outcome: 'problem',
    gone: false,
    status,
    message: `The address redirects more than ${maxRedirects} times.`,
  };
}
