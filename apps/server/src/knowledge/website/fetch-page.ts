import type { Egress, EgressRequest } from '../../egress/egress.ts';

const timeoutMs = 15_000;
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
  /** `gone`: the far side says that there is no such page. */
  | { readonly outcome: 'problem'; readonly gone: boolean; readonly message: string };

interface PageRequest extends Pick<EgressRequest, 'tenantId' | 'signal'> {
  readonly url: string;
  /** What was read last time, to be asked with. */
  readonly version: string | null;
  /** The media types that are asked for. */
  readonly accept: string;
  /** Whether a redirect may lead there. */
  readonly follows: (url: URL) => boolean;
}

/** One page, through redirects that are each judged by the egress rules and by the caller. Never rejects for what the far side does. */
export async function fetchPage(
  egress: Pick<Egress, 'request'>,
  { tenantId, signal, version, accept, follows, ...request }: PageRequest,
): Promise<FetchedPage> {
  let url = request.url;
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
    });
    if (answer.outcome === 'answer') {
      const { status, contentType, contentSecurityPolicy, text } = answer;
      if (status !== 200) {
        const gone = status === 404 || status === 410;
        return { outcome: 'problem', gone, message: `The address answered ${status}.` };
      }
      const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'text/html';
      return { outcome: 'page', address: url, mediaType, text, version: answer.etag, contentSecurityPolicy };
    }
    if (answer.outcome !== 'redirect') return { outcome: 'problem', gone: false, message: answer.message };
    if (answer.status === 304) return { outcome: 'unchanged' };
    const target = answer.location === null ? null : URL.parse(answer.location, url);
    if (target === null || !/^https?:$/.test(target.protocol))
      return { outcome: 'problem', gone: false, message: 'The address redirects to none that can be read.' };
    if (!follows(target))
      return {
        outcome: 'problem',
        gone: true,
        message: `The address redirects to another website, ${target.host}.`,
      };
    url = target.href;
  }
  return {
    outcome: 'problem',
    gone: false,
    message: `The address redirects more than ${maxRedirects} times.`,
  };
}
