import type { MessagePart } from '@parley/protocol/event';
import { plainName } from '@parley/protocol/plain-name';

type FilePart = Extract<MessagePart, { readonly type: 'file' }>;

/** A file that a visitor sent: whoever reads the conversation opens it, and sees how its name ends. */
export function SentFile({ filename, mediaType, url }: Pick<FilePart, 'filename' | 'mediaType' | 'url'>) {
  const name = plainName(filename ?? mediaType);
  return (
    <span class="meta file">
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  );
}
