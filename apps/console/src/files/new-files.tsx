import { useState } from 'preact/hooks';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { addFile } from './add-file.ts';

interface NewFilesProps {
  readonly agentId: string;
  readonly onAdded: () => Promise<void>;
}

/** Files that are read as soon as they are chosen, or dropped here; what went wrong with one stands below. */
export function NewFiles({ agentId, onAdded }: NewFilesProps) {
  const [reading, setReading] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [over, setOver] = useState(false);
  const add = async (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])];
    // The same file may be chosen again.
    input.value = '';
    setOver(false);
    setProblems([]);
    for (const file of files) {
      setReading(file.name);
      const added = await addFile(agentId, file);
      if (typeof added === 'string') setProblems((before) => [...before, `${file.name}: ${added}`]);
      else {
        announce(`${added.name} was added.`);
        await onAdded();
      }
    }
    setReading(null);
  };
  return (
    <section class="card">
      <h2>Add files</h2>
      <div
        class={over ? 'files over' : 'files'}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
      >
        <p aria-hidden="true">
          {reading === null ? (
            <>
              <b>Choose files</b> or drop them here
            </>
          ) : (
            `Reading ${reading}…`
          )}
        </p>
        <p class="hint" id="files-hint">
          PDF, Word (.docx), Markdown, text or HTML, up to 20 MB each. Their text is kept, the files are not.
        </p>
        <input
          type="file"
          multiple
          accept=".pdf,.docx,.md,.markdown,.txt,.html,.htm"
          aria-label="Choose files"
          aria-describedby="files-hint"
          disabled={reading !== null}
          onChange={({ currentTarget }) => void add(currentTarget)}
        />
      </div>
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
    </section>
  );
}
