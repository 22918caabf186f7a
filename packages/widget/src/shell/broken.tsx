import { NoticeLine } from '../ui/notice-line.tsx';
import { useWidget } from '../widget-context.ts';

/** Says that the conversation could not be drawn. */
export function Broken({ again }: { again: () => void }) {
  const { conversation, label } = useWidget();
  return (
    <NoticeLine
      text={label('errorOther')}
      action={label('reload')}
      onAction={() => {
        // From its beginning, by the log: what was wrong may have been wrong here only.
        conversation.reload();
        again();
      }}
    />
  );
}
