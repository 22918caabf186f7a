import { useEffect } from 'preact/hooks';
import { useStore } from '../chat/use-store.ts';
import { useWidget } from '../widget-context.ts';
import { withAttachments } from './load-attachments.ts';
import { useAttachments } from './use-attachments.ts';

/** The files of the message that is being written, and why others are not among them. */
export function Attached() {
  const { chat, label, locale } = useWidget();
  const { files, problem } = useStore(chat.draft);
  const attachments = useAttachments(files.length > 0);
  useEffect(() => {
    if (chat.draft.left) withAttachments(({ keepDraft }) => keepDraft(chat));
  }, [chat]);
  return (
    <>
      <span class="hidden" role="status">
        {files.length > 0 && `${label('attached')}: ${files.map(({ name }) => name).join(', ')}`}
      </span>
      {attachments && <attachments.Chips />}
      {problem && (
        <p class="problem attached-problem" role="alert">
          {problem({ label, locale })}
        </p>
      )}
    </>
  );
}
