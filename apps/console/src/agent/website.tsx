import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { PageCheck } from '../start/page-check.tsx';
import { Origins } from '../ui/origins.tsx';
import { Code } from '../ui/code.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { snippets } from './snippets.ts';

interface WebsiteProps {
  readonly agent: AgentView;
  readonly keys: readonly KeyView[] | null;
  readonly reload: () => Promise<void>;
}

/** What it takes for the agent to stand on somebody's pages. */
export function Website({ agent, keys, reload }: WebsiteProps) {
  const [way, setWay] = useState('Script');
  const [problem, setProblem] = useState<string | null>(null);
  if (keys === null) return <Loading />;
  const key = keys.find(({ kind }) => kind === 'publishable');
  const create = async () => {
    const bound = { tenantId: agent.tenantId, agentId: agent.id, kind: 'publishable', label: 'Website' };
    try {
      await call('POST', '/keys', { ...bound, allowMissingOrigin: false });
      await reload();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  if (key?.key === undefined)
    return (
      <section class="card">
        <h2>No key yet</h2>
        <p>A publishable key lets pages of your website speak to this agent, and does nothing else.</p>
        {problem && <Problem>{problem}</Problem>}
        {isAtLeast('admin') && (
          <button type="button" class="button primary" onClick={() => void create()}>
            Create a key
          </button>
        )}
      </section>
    );
  const all = snippets(location.origin, key.key);
  const chosen = all.find(({ name }) => name === way) ?? all[0];
  return (
    <div class="narrow">
      <section class="card">
        <h2>1. Your website</h2>
        <p class="lead">Only pages of these addresses may use the key.</p>
        <Origins keyView={key} onChanged={reload} />
      </section>
      <section class="card">
        <h2>2. The code</h2>
        <div class="ways" role="group" aria-label="How your page is made">
          {all.map(({ name }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === chosen?.name}
              onClick={() => setWay(name)}
            >
              {name}
            </button>
          ))}
        </div>
        {chosen && (
          <>
            <p class="hint">{chosen.where}</p>
            <Code label={`Code for ${chosen.name}`} text={chosen.text} />
          </>
        )}
        {key.allowedOrigins.length === 0 && (
          <p class="notice">No page may use it yet: add the address of your website first.</p>
        )}
      </section>
      {isAtLeast('admin') && (
        <section class="card">
          <h2>3. Is it there?</h2>
          <p class="lead">The page is opened once, and you read what it takes for the chat to stand on it.</p>
          <PageCheck agentId={agent.id} suggested={key.allowedOrigins[0] ?? ''} />
        </section>
      )}
    </div>
  );
}
