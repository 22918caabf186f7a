import type { WebhookView } from '@parley/protocol/settings/webhook';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Code } from '../ui/code.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { shownSecret } from './shown-secret.ts';

interface WebhookSecretProps {
  readonly webhook: WebhookView;
  readonly onChanged: (webhook: WebhookView) => void;
}

/** What receivers check requests with. */
export function WebhookSecret({ webhook, onChanged }: WebhookSecretProps) {
  const { id, last4, previousSecretUntil } = webhook;
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => void (shownSecret.value = null), []);
  const rotate = async () => {
    const text =
      'Requests are signed with both for a day: until then give your receiver the new one. One that was replaced before stops at once.';
    if (!(await confirm({ title: 'Make another secret?', text, action: 'Make another' }))) return;
    try {
      const rotated = await call<WebhookView>('POST', `/webhooks/${id}/rotate`);
      if (rotated.secret !== undefined) shownSecret.value = { id, secret: rotated.secret };
      setProblem(null);
      onChanged(rotated);
      announce('There is another secret. Keep it.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const shown = shownSecret.value?.id === id ? shownSecret.value.secret : null;
  return (
    <section>
      <h2 class="section">Secret</h2>
      <div class="card webhook-form">
        {problem && <Problem>{problem}</Problem>}
        {shown !== null && (
          <>
            <p class="notice">Keep it now: it is never shown again.</p>
            <Code label="The secret" text={shown} />
          </>
        )}
        <div class="webhook-line">
          <p class="meta">
            Every request is signed with the secret that ends in <code>{last4}</code>
            {previousSecretUntil !== null && (
              <>
                , and until <Time at={previousSecretUntil} /> with the one before
              </>
            )}
            . <a href="/docs/webhooks">How to check it</a>
          </p>
          {isAtLeast('admin') && (
            <button type="button" class="button small" onClick={() => void rotate()}>
              Make another
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
