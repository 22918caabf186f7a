import type { FilesSettings } from '@parley/protocol/settings/files';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';
import { useAttachments } from './use-attachments.ts';

/** Takes files: picked here, pasted into the panel or dropped onto it. */
export function AttachButton({ policy }: { policy: FilesSettings }) {
  const { conversation, label } = useWidget();
  const input = useRef<HTMLInputElement>(null);
  const [dropping, setDropping] = useState(false);
  const attachments = useAttachments(dropping);

  useEffect(() => {
    const panel = input.current!.closest('.panel')!;
    const ending = new AbortController();
    const receive = (event: Event) => {
      const { type, relatedTarget, dataTransfer, clipboardData } = event as DragEvent & ClipboardEvent;
      const { types, files } = (dataTransfer ?? clipboardData)!;
      // What is copied from an office program is text, with a picture of it.
      const text = types.includes('text/plain') && types.includes('text/html');
      const wanted = types.includes('Files') && !text;
      if (wanted) event.preventDefault();
      const staysIn = type === 'dragleave' && panel.contains(relatedTarget as Node);
      setDropping((was) => (type === 'dragover' ? wanted : was && staysIn));
      if (wanted && !type.startsWith('drag')) conversation.attach([...files]);
    };
    for (const type of ['paste', 'dragover', 'dragleave', 'drop'])
      panel.addEventListener(type, receive, { signal: ending.signal });
    return () => ending.abort();
  }, [conversation, policy]);

  return (
    <>
      <button
        type="button"
        class="round quiet"
        aria-label={label('attach')}
        title={label('attach')}
        onClick={() => input.current!.click()}
      >
        <CardIcon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={policy.types.join()}
        onChange={({ currentTarget }) => {
          conversation.attach([...currentTarget.files!]);
          // The same file may be picked again.
          currentTarget.value = '';
        }}
      />
      {dropping && attachments && <attachments.DropHint />}
    </>
  );
}
