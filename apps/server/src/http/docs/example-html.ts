import { escapeHtml } from './escape-html.ts';

/** What readers put their own values in place of; the page's script does it for them. */
const placeholders = {
  'sk_live_…': 'secretKey',
  'pk_live_…': 'publishableKey',
  'tenant_…': 'tenantId',
  'agent_…': 'agentId',
  ADMIN_TOKEN: 'adminToken',
} as const;

const places = new RegExp(`(?<![\\w$])(?:${Object.keys(placeholders).join('|')})(?![\\w=])`, 'g');

/** Code to read and copy. A caption says what it is or which file it goes into. */
export function exampleHtml(code: string, caption: string): string {
  const filled = escapeHtml(code).replace(places, (place) => {
    const name = placeholders[place as keyof typeof placeholders];
    return `<span data-fill="${name}">${place}</span>`;
  });
  return `<figure class="example"><figcaption>${escapeHtml(caption)}</figcaption><pre tabindex="0"><code>${filled}</code></pre></figure>`;
}
