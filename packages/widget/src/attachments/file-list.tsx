import { useEffect, useState } from 'preact/hooks';
import { plainName } from '@parley/protocol/plain-name';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';
import { adoptOwnStyles } from './adopt-own-styles.ts';
import type { FileNote } from './file-note.ts';
import { formatSize } from './format-size.ts';
import { Thumbnail } from './thumbnail.tsx';

type Props = { files: readonly FileNote[]; unsent: { id: string; at: number } | undefined };

/** The files of a message: first the pictures, as such, then the others, by name. */
export function FileList({ files, unsent }: Props) {
  const { conversation, label } = useWidget();
  const [kept, setKept] = useState<readonly File[] | null>(null);
  useEffect(() => {
    if (unsent) void conversation.filesOf(unsent)?.then(setKept, () => {});
  }, [unsent?.id]);
  return (
    <ul class="files" aria-label={label('attached')} ref={adoptOwnStyles}>
      {files
        .map((file, index) => ({ file, index }))
        .toSorted((one, other) => Number(isPicture(other.file)) - Number(isPicture(one.file)))
        .map(({ file, index }) => (
          <SentFile key={index} file={file} kept={kept?.[index]} />
        ))}
    </ul>
  );
}

const isPicture = ({ mediaType }: FileNote) => mediaType.startsWith('image/');

function SentFile({ file, kept }: { file: FileNote; kept: File | undefined }) {
  const { conversation, locale } = useWidget();
  const [broken, setBroken] = useState(false);
  const { filename, mediaType, size, url } = file;
  const address = conversation.fileAddress(url);
  const source = kept ?? address;
  const name = plainName(filename ?? mediaType);
  const picture = isPicture(file) && source !== undefined && !broken;
  const shown = picture ? (
    <Thumbnail source={source} label={name} onError={() => setBroken(true)} />
  ) : (
    <>
      <CardIcon name="file" />
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
