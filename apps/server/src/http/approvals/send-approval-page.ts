import { randomBytes } from 'node:crypto';
import { argumentRows, summaryOf, titleOf, type ToolDisplays } from '@parley/protocol/tool-text';
import { escapeInvisible } from '@parley/protocol/escape-invisible';
import type { Response } from 'express';
import { escapeHtml } from '../docs/escape-html.ts';

export interface Asked {
  readonly agentName: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly displays: ToolDisplays;
  /** As whom whoever opens it answers. */
  readonly approver: string;
  /** What else is needed, in a sentence; null: this one answer counts. */
  readonly needs: string | null;
  /** Who was handed it by whom, in a sentence, and what they said along with it; null: nobody was. */
  readonly handed: { readonly by: string; readonly line: string | null } | null;
  /** Who changed the arguments, or null. */
  readonly amendedBy: string | null;
  readonly expiresAt: number;
}

/** What somebody who was sent a link reads. */
export type ApprovalPage =
  | { readonly title: string; readonly text: string }
  | { readonly token: string; readonly asked: Asked };

/** A page of its own tab, without a script. What a visitor may have worded is shown with nothing invisible in it. */
export function sendApprovalPage(response: Response, page: ApprovalPage, status = 200): void {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  const { title, body } = 'asked' in page ? question(page.token, page.asked) : told(page);
  response.status(status).type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`);
}

const told = ({ title, text }: { readonly title: string; readonly text: string }) => ({
  title: escapeHtml(title),
  body: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`,
});

function question(token: string, asked: Asked): { readonly title: string; readonly body: string } {
  const { agentName, toolName, input, displays, approver, needs, handed, amendedBy, expiresAt } = asked;
  const title = escapeHtml(titleOf(toolName, displays, 'en'));
  const summary = summaryOf(toolName, input, displays, 'en');
  const sentence = summary
    ? summary
        .map(({ text, isArgument }) => (isArgument ? `<bdi>${escapeHtml(text)}</bdi>` : escapeHtml(text)))
        .join('')
    : `<bdi>${title}</bdi>`;
  const rows = argumentRows(toolName, input, displays).map(
    ({ label, value }) => `<dt dir="auto">${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`,
  );
  const button = (answer: string, label: string, kind: string) =>
    `<form method="post" action="${escapeHtml(token)}/${answer}"><button class="${kind}">${label}</button></form>`;
  const notes = [
    ...(amendedBy === null ? [] : [`${escapeInvisible(amendedBy)} changed what the agent wanted to do.`]),
    ...(needs === null ? [] : [needs]),
    ...(handed === null ? [] : [escapeInvisible(handed.by)]),
    ...(handed?.line ? [`“${escapeInvisible(handed.line)}”`] : []),
  ];
  return {
    title,
    body: `<p class="meta">${escapeHtml(escapeInvisible(agentName))} asks for your approval</p>
<h1>${sentence}</h1>
${rows.length > 0 ? `<dl aria-label="Arguments">${rows.join('\n')}</dl>` : ''}
${notes.map((note) => `<p class="note" dir="auto">${escapeHtml(note)}</p>`).join('\n')}
<div class="pair">${button('deny', 'Decline', 'plain')}${button('approve', 'Approve', 'primary')}</div>
<p class="meta">Your answer counts as that of ${escapeHtml(escapeInvisible(approver))}, once, until ${new Date(expiresAt).toUTCString()}.</p>`,
  };
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f5f6f8, #101216); color: light-dark(#16181d, #eceef2); }
main { box-sizing: border-box; width: min(32rem, 100vw - 2rem); margin: 1rem; padding: 1.5rem 2rem 1.25rem; border: 1px solid light-dark(#e3e6eb, #2f333d); border-radius: 1rem; background: light-dark(#fff, #17191e); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 .75rem; }
.meta { color: light-dark(#5a6070, #a3a9b8); font-size: .875rem; }
p.meta:first-child { margin-bottom: .25rem; }
p:last-child { margin-bottom: 0; }
.note { padding: .5rem .75rem; border-radius: .625rem; background: light-dark(#f5f6f8, #23262e); }
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .5rem 1rem; margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid light-dark(#e3e6eb, #2f333d); border-radius: .625rem; }
dt { min-width: 5rem; color: light-dark(#5a6070, #a3a9b8); }
dd { margin: 0; white-space: pre-wrap; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: 1.25rem 0 1rem; }
form { margin: 0; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 2.75rem; border: 1px solid light-dark(#8a90a0, #6a7182); border-radius: .625rem; background: none; color: inherit; cursor: pointer; }
button.primary { border-color: transparent; background: light-dark(#16181d, #eceef2); color: light-dark(#fff, #16181d); }
:focus-visible { outline: 2px solid light-dark(#16181d, #eceef2); outline-offset: 2px; }
@media (max-width: 26rem) { main { padding: 1.25rem 1.25rem 1rem; } dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5rem; } dd:last-child { margin-bottom: 0; } }
`;
