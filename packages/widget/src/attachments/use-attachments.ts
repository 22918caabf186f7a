import { useEffect, useState } from 'preact/hooks';
import { type Attachments, loadAttachments } from './load-attachments.ts';

let loaded: Attachments | null = null;

/** What deals with files, once it is wanted and there. */
export function useAttachments(wanted: boolean): Attachments | null {
  const [, draw] = useState(loaded);
  useEffect(() => {
    if (wanted)
      loadAttachments().then(
        (attachments) => draw((loaded = attachments)),
        () => {
          // Files are named without it.
        },
      );
  }, [wanted]);
  return wanted ? loaded : null;
}
