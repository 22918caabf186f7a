import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { usableOrigins } from '../../auth/origins.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { findKey } from '../../auth/find-key.ts';
import { ProblemError } from '../problem.ts';

/** The panel as a page for a publishable key, which only the key's own origins may put into a frame. */
export async function iframePage(
  response: Response,
  presented: string,
  {
    settings,
    modules,
  }: { readonly settings: SettingsCache; readonly modules: { panel: string; frame: string } },
): Promise<void> {
  const key = await findKey(settings, presented);
  if (key === null || key.kind !== 'publishable')
    throw new ProblemError('NOT_FOUND', 'There is no such publishable key.');

  const nonce = randomBytes(16).toString('base64');
  response.removeHeader('x-frame-options');
  response.setHeader(
    'content-security-policy',
    [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      `style-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${frameAncestors(key.allowedOrigins)}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  );
  // Nothing of the request is written into the page: the panel reads the key from the page's own address.
  response.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>Chat</title>
<link rel="icon" href="data:,">
<link rel="modulepreload" nonce="${nonce}" href="../${modules.panel}">
<script type="module" nonce="${nonce}">import { mountFrame } from '../${modules.frame}';
mountFrame();</script>
</head>
<body></body>
</html>
`);
}

/** As CSP sources. A key without origins is for no page at all. */
function frameAncestors(origins: readonly string[]): string {
  if (origins.includes('*')) return '*';
  const sources = usableOrigins(origins).filter((origin) => /^https?:\/\/[\w.*:[\]-]+$/.test(origin));
  return sources.length > 0 ? sources.join(' ') : "'none'";
}
