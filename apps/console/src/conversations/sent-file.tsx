import type { MessagePart } from '@parley/protocol/event';
import { plainName } from '@parley/protocol/plain-name';

type FilePart = Extract<MessagePart, { readonly type: 'file' }>;

/** A file that a visitor sent: whoever reads the conversation opens it, and sees how its name ends and where it is. */
export function SentFile({ filename, mediaType, size, url }: Omit<FilePart, 'type'>) {
  const name = plainName(filename ?? mediaType);
  if (!url) return <span class="meta file">{name}</span>;
  // An address that the visitor named has no size: the service stores nothing of what is there.
  const host = size === undefined ? URL.parse(url)?.host : undefined;
  return (
    <span class="meta file">
      <a href={url} target="_blank" rel="noopener noreferrer">
        {host ? `${name} at ${host}` : name}
      </a>
    </span>
  );
}
