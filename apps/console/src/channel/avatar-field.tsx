import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { avatarOf } from './avatar-of.ts';

interface AvatarFieldProps {
  /** As a `data:` address; empty: none. */
  readonly value: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A picture beside the name, made small enough for the settings in this page. */
export function AvatarField({ value, hint, error, onChange }: AvatarFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const avatar = await avatarOf(file);
    setProblem(
      avatar === null ? 'It is no picture that can be read here. Choose a PNG, JPEG or WebP.' : null,
    );
    if (avatar !== null) onChange(avatar);
    if (input.current) input.current.value = '';
  };
  const wrong = problem ?? error;
  return (
    <div class="field">
      <label for={id}>Picture</label>
      <div class="actions">
        {value !== '' && <Drawn picture={value} />}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/avif"
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
        {value !== '' && (
          <button type="button" class="button small" onClick={() => onChange('')}>
            Remove picture
          </button>
        )}
      </div>
      <p class="hint" id={`${id}-hint`}>
        Cut to a square and made small here. {hint}
      </p>
      {wrong && (
        <p class="error" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

/** On a canvas: the policy of the console loads no pictures. */
function Drawn({ picture }: { readonly picture: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = async () => {
      const [head = '', base64 = ''] = picture.split(',');
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const type = head.replace(/^data:|;base64$/g, '');
      const bitmap = await createImageBitmap(new Blob([bytes], { type }));
      canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0, 80, 80);
      bitmap.close();
    };
    // One that was stored over HTTP may be an SVG, which nobody draws here.
    draw().catch(() => undefined);
  }, [picture]);
  return <canvas ref={canvas} class="avatar-drawn" width={80} height={80} aria-hidden="true" />;
}
