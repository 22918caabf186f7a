import { useState } from 'preact/hooks';

/** A picture, which says nothing that the name beside it does not. Of a person whose picture is not there: their initials. */
export function Avatar({ src, person }: { src: string | undefined; person?: string | undefined }) {
  const [broken, setBroken] = useState<string>();
  if (src && src !== broken)
    return <img class="avatar" src={src} alt="" onError={() => setBroken(person && src)} />;
  return person ? (
    <span class="avatar" aria-hidden="true">
      {initials(person)}
    </span>
  ) : null;
}

/** Of the first name and the last. */
function initials(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  return [first, others.at(-1) ?? '']
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
