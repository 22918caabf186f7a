import type { ThreadView } from '@parley/protocol/settings/inbox';
import { member } from '../api/member.ts';

type Delegated = NonNullable<ThreadView['approvals'][number]['delegated']>;

/** Whom an approval was handed to, by whom and with what words. */
export function AskedOf({ from, to, line }: Delegated) {
  const own = member.value?.id;
  const name = (who: Delegated['to']) => (who.id === own ? 'you' : who.name);
  return (
    <div class="asked-of" data-own={to.id === own || undefined}>
      <p>
        <strong>Asked of {name(to)}</strong>{' '}
        {from.id !== to.id && <span class="meta">Handed on by {name(from)}.</span>}
      </p>
      {line !== null && <p dir="auto">{line}</p>}
    </div>
  );
}
