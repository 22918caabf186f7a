import type { SignInPart } from '@parley/conversation';
import { CardIcon } from '../../ui/card-icon.tsx';
import { safeUrl } from '../markdown/safe-url.ts';
import { useWidget } from '../../widget-context.ts';
import { escapeInvisible } from '@parley/protocol/escape-invisible';

/** Where to sign in so that the agent can go on, and how that ended. */
function SignInCard({ part }: { part: SignInPart }) {
  const { label } = useWidget();
  const name = escapeInvisible(part.name);
  if (part.outcome) {
    return (
      <p class="tool-line">
        <CardIcon name={part.outcome === 'authorized' ? 'check' : 'blocked'} />
        <bdi>{label(`sign-in-${part.outcome}`, { name })}</bdi>
      </p>
    );
  }
  const { url, userCode } = part.authorization;
  const target = typeof url === 'string' ? safeUrl(url) : null;
  return (
    <div class="card" role="group" aria-label={label('signInTitle', { name })}>
      <p class="card-title">
        <bdi>{label('signInTitle', { name })}</bdi>
      </p>
      {part.description && <p dir="auto">{escapeInvisible(part.description)}</p>}
      {typeof userCode === 'string' && (
        <p class="meta">{label('signInCode', { code: escapeInvisible(userCode) })}</p>
      )}
      {target && (
        <a class="button primary" href={target.href} target="_blank" rel="noopener noreferrer">
          {label('signIn')}
        </a>
      )}
      {target && <p class="meta">{target.host}</p>}
    </div>
  );
}

export { SignInCard as Component };
