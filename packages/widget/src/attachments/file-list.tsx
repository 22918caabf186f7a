import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';
import { adoptOnce } from './adopt-once.ts';
import type { FileNote } from './file-note.ts';
import { formatSize } from './format-size.ts';
import { keptFiles } from './kept-files.ts';
import { ownAddress } from './own-address.ts';
import { Thumbnail } from './thumbnail.tsx';
import { plainName } from './words.ts';

type Props = { files: readonly FileNote[]; unsent: { id: string; at: number } | undefined };

/** The files of a message: pictures as such, the others by name. */
export function FileList({ files, unsent }: Props) {
  const { label } = useWidget();
  const [kept, setKept] = useState<readonly File[] | null>(null);
  useEffect(() => {
    if (unsent) void keptFiles(unsent).then(setKept);
  }, [unsent?.id]);
  return (
    <ul class="files" aria-label={label('attached')} ref={adoptOnce}>
      {files.map((file, index) => (
        <SentFile key={index} file={file} kept={kept?.[index]} />
      ))}
    </ul>
  );
}

function SentFile({ file, kept }: { file: FileNote; kept: File | undefined }) {
  const { chat, locale } = useWidget();
  const [broken, setBroken] = useState(false);
  const { filename, mediaType, size, url } = file;
  const address = ownAddress(chat.connection, url);
  const source = kept ?? address;
  const name = plainName(filename ?? mediaType);
  const picture = mediaType.startsWith('image/') && source !== undefined && !broken;
  const shown = picture ? (
    <Thumbnail source={source} label={name} onError={() => setBroken(true)} />
  ) : (
    <>
      <Icon name="file" />
      <span class="file-text">
        <bdi class="file-name">{name}</bdi>
        {size !== undefined && <span class="meta">{formatSize(size, locale)}</span>}
      </span>
    </>
  );
  return (
    <li class={picture ? 'picture' : 'file'}>
      {address ? (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {shown}
        </a>
      ) : (
        shown
      )}
    </li>
  );
}
