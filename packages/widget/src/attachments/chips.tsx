import { useRef, useState } from 'preact/hooks';
import { plainName } from '@parley/protocol/plain-name';
import { CardIcon } from '../ui/card-icon.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { adoptOwnStyles } from './adopt-own-styles.ts';
import { formatSize } from './format-size.ts';
import { Thumbnail } from './thumbnail.tsx';

/** What goes with the message that is being written. */
export function Chips() {
  const { conversation, label } = useWidget();
  const { files } = useSignal(conversation.draft.state);
  const list = useRef<HTMLUListElement | null>(null);

  const remove = (index: number) => {
    // The focus goes to what is next to the chip, at last to the field.
    const buttons = list.current!.querySelectorAll('button');
    const next =
      buttons[index + 1] ?? buttons[index - 1] ?? list.current!.parentElement!.querySelector('textarea');
    next?.focus({ preventScroll: true });
    conversation.draft.change({ files: files.toSpliced(index, 1), problem: null });
  };

  return (
    <ul
      class="chips"
      aria-label={label('attached')}
      ref={(element) => {
        list.current = element;
        adoptOwnStyles(element);
      }}
    >
      {files.map((file, index) => (
        <Chip key={keyOf(file)} file={file} onRemove={() => remove(index)} />
      ))}
    </ul>
  );
}

const keys = new WeakMap<File, number>();
let lastKey = 0;
function keyOf(file: File): number {
  if (!keys.has(file)) keys.set(file, ++lastKey);
  return keys.get(file)!;
}

function Chip({ file, onRemove }: { file: File; onRemove: () => void }) {
  const { label, locale } = useWidget();
  const [broken, setBroken] = useState(false);
  const name = plainName(file.name);
  return (
    <li class="chip">
      {file.type.startsWith('image/') && !broken ? (
        <Thumbnail source={file} onError={() => setBroken(true)} />
      ) : (
        <CardIcon name="file" />
      )}
      <span class="file-text">
        <bdi class="file-name">{name}</bdi>
        <span class="meta">{formatSize(file.size, locale)}</span>
      </span>
      <button
        type="button"
        class="remove"
        aria-label={label('removeFile', { name })}
        title={label('removeFile', { name })}
        onClick={onRemove}
      >
        <CardIcon name="close" />
      </button>
    </li>
  );
}
