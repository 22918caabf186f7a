import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { useAttachments } from './use-attachments.ts';

/** The files of the message that is being written, and why others are not among them. */
export function Attached() {
  const { conversation, label, locale } = useWidget();
  const { files, problem } = useSignal(conversation.draft.state);
  const attachments = useAttachments(files.length > 0 || problem !== null);
  return (
    <>
      <span class="hidden" role="status">
        {files.length > 0 && `${label('attached')}: ${files.map(({ name }) => name).join(', ')}`}
      </span>
      {attachments && files.length > 0 && <attachments.Chips />}
      {problem && (
        <p class="problem attached-problem" role="alert">
          {attachments ? attachments.sayProblem(problem, { label, locale }) : label('NETWORK')}
        </p>
      )}
    </>
  );
}
