import type { FileNote } from './file-note.ts';
import { useAttachments } from './use-attachments.ts';

/** The files of a message in the conversation; by name until there is more to show them with. */
export function SentFiles(props: {
  files: readonly FileNote[];
  unsent: { id: string; at: number } | undefined;
}) {
  const attachments = useAttachments(true);
  if (attachments) return <attachments.FileList {...props} />;
  return props.files.map(({ filename, mediaType }, index) => <div key={index}>{filename ?? mediaType}</div>);
}
