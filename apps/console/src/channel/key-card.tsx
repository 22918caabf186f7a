import type { KeyView } from '@parley/protocol/settings/key';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Code } from '../ui/code.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/notice.tsx';
import { Origins } from '../ui/origins.tsx';
import { Time } from '../ui/time.tsx';
import { FirstRequest } from './first-request.tsx';

interface KeyCardProps {
  /** With the key itself right after it was made, and where it is publishable. */
  readonly keyView: KeyView;
  readonly agentName: string | null;
  readonly onMade: (key: KeyView) => Promise<void>;
  readonly onChanged: () => Promise<void>;
}

const breaks = {
  secret: 'Every server that uses the key is refused from its next request on, until it has the new one.',
  publishable: 'The widget stops on every page that has the key, until the page has the new one.',
};

export function KeyCard({ keyView, agentName, onMade, onChanged }: KeyCardProps) {
  const { id, kind, label, last4, createdAt, lastUsedAt, turnsPerMinute, key } = keyView;
  const [problem, setProblem] = useState<string | null>(null);
  const name = label || (kind === 'secret' ? 'Secret key' : 'Publishable key');
  const doing = async (action: () => Promise<void>) => {
    try {
      await action();
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const regenerate = () =>
    doing(async () => {
      if (!(await confirm({ title: `Regenerate ${name}?`, text: breaks[kind], action: 'Regenerate' })))
        return;
      await onMade(await call<KeyView>('POST', `/keys/${id}/regenerate`));
      announce('The old key is refused from now on.');
    });
  const revoke = () =>
    doing(async () => {
      const text = breaks[kind].replace(/, until.*/, '. It cannot be brought back.');
      if (!(await confirm({ title: `Revoke ${name}?`, text, action: 'Revoke' }))) return;
      await deleteIfThere(`/keys/${id}`);
      await onChanged();
      announce('The key was revoked.');
    });
  return (
    <article class="card" aria-label={name}>
      <header class="card-header">
        <div>
          <h3>{name}</h3>
          <p class="meta">
            {agentName ?? 'No agent'} · ends in <code>{last4}</code> · made <Time at={createdAt} /> ·{' '}
            {lastUsedAt === null ? (
              'not used yet'
            ) : (
              <>
                last used <Time at={lastUsedAt} />
              </>
            )}
            {kind === 'secret' && ` · ${turnsPerMinute} turns a minute`}
          </p>
        </div>
        {isAtLeast('admin') && (
          <div class="actions">
            <button type="button" class="button small" onClick={() => void regenerate()}>
              Regenerate
            </button>
            <button type="button" class="button small danger-quiet" onClick={() => void revoke()}>
              Revoke
            </button>
          </div>
        )}
      </header>
      {problem && <Problem>{problem}</Problem>}
      {key !== undefined && <Code label={`${name}: the key`} text={key} />}
      {kind === 'secret' && key !== undefined && <FirstRequest secretKey={key} />}
      {kind === 'publishable' && <Origins keyView={keyView} onChanged={onChanged} />}
    </article>
  );
}
