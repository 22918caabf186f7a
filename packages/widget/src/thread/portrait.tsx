import type { Author } from '@parley/protocol/event';
import { useState } from 'preact/hooks';

/** The picture of a person, which says nothing that the name beside it does not. Where there is none, their initials. */
export function Portrait({ person: { name = '', avatarUrl } }: { person: Author }) {
  const [broken, setBroken] = useState<string>();
  if (avatarUrl && avatarUrl !== broken)
    return <img class="avatar" src={avatarUrl} alt="" onError={() => setBroken(avatarUrl)} />;
  return (
    <span class="avatar initials" aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** Of the first name and the last. */
function initials(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/);
  return [first, others.at(-1) ?? '']
    .map((word) => /^.\p{M}*/u.exec(word)?.[0] ?? '')
    .join('')
    .toUpperCase();
}
