import type { ComponentChildren } from 'preact';
import { disguisedHost } from './disguised-host.ts';
import { safeUrl } from './safe-url.ts';

type Props = { destination: string | null; text: string; children: ComponentChildren };

/** A link of an answer if it leads where links may, with its host where its text tells another one. */
export function Link({ destination, text, children }: Props) {
  const url = safeUrl(destination ?? '');
  if (!url) return <span>{children}</span>;
  const host = disguisedHost(text, url);
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow ugc" title={url.href}>
        {children}
      </a>
      {host && <span class="meta"> ({host})</span>}
    </>
  );
}
