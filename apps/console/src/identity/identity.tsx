import type { AgentPatch, AgentView } from '@parley/protocol/settings/agent';
import { useReducer, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Check } from '../ui/check.tsx';
import { Code } from '../ui/code.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/notice.tsx';
import { identifyCode, identityCode } from './identity-code.ts';
import { KeyPair } from './key-pair.tsx';
import { newSecret } from './new-secret.ts';

interface IdentityProps {
  readonly agent: AgentView;
  readonly onSaved: (agent: AgentView) => void;
}

/** How visitors prove who they are. It applies at once, to live and draft alike. */
export function Identity({ agent, onSaved }: IdentityProps) {
  const [problem, setProblem] = useState<string | null>(null);
  /** A secret that was made just now, and is nowhere else. */
  const [shown, setShown] = useState<string | null>(null);
  const [language, setLanguage] = useState('Node');
  const { secret, publicKey, required } = agent.identity;
  const mayChange = isAtLeast('admin');
  const isSet = secret !== undefined || publicKey !== undefined;

  const save = async (identity: NonNullable<AgentPatch['identity']>, said: string): Promise<boolean> => {
    try {
      onSaved(await call<AgentView>('PATCH', `/agents/${agent.id}`, { identity }));
      setProblem(null);
      announce(said);
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    }
  };
  /** Of two secrets that are made at once, the one that is shown may not be the one that is stored. */
  const isMaking = useRef(false);
  const make = async () => {
    if (isMaking.current) return;
    if (secret !== undefined) {
      const text =
        'Tokens that were signed with the old secret are refused from now on: visitors who are signed in cannot write until your server has the new one.';
      if (!(await confirm({ title: 'Replace the secret?', text, action: 'Replace secret' }))) return;
    }
    isMaking.current = true;
    const made = newSecret();
    if (await save({ secret: made }, 'The secret is in use. Copy it now.')) setShown(made);
    isMaking.current = false;
  };
  const remove = async () => {
    const text =
      'Nobody is recognised any more, and conversations of signed-in visitors are out of their reach.';
    if (!(await confirm({ title: 'Remove the secret?', text, action: 'Remove secret' }))) return;
    const patch = publicKey === undefined ? { secret: null, required: null } : { secret: null };
    if (await save(patch, 'The secret was removed.')) setShown(null);
  };
  /** Shows the box as it is stored: setting the problem that stands there already draws nothing anew. */
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const require = async (on: boolean) => {
    const title = 'Answer signed-in visitors only?';
    const text = 'Visitors whom your page does not identify are not answered from now on.';
    const isWanted = !on || (await confirm({ title, text, action: 'Answer them only' }));
    if (!isWanted) setProblem(null);
    else
      await save({ required: on }, on ? 'Only signed-in visitors are answered.' : 'Everybody is answered.');
    drawAgain(undefined);
  };
  const samples = identityCode(agent.id);
  const sample = samples.find(({ name }) => name === language) ?? samples[0];
  return (
    <div class="narrow">
      <p class="lead">
        Your website knows who is signed in? Then a conversation can be theirs: they find it on all their
        devices, nobody else reads it, and tools act for them. What is set here applies at once, without a
        draft.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <section class="card">
        <h2>1. A secret between your server and this service</h2>
        <p class="meta" role="status">
          {secret ? `One ending in ${secret.last4 || '…'} is set.` : 'None is set: nobody is recognised.'}
        </p>
        {shown !== null && (
          <>
            <Code label="Secret" text={shown} />
            <p class="notice">Copy it now: it is stored encrypted, and never shown again.</p>
          </>
        )}
        {mayChange && (
          <div class="actions">
            <button type="button" class="button" onClick={() => void make()}>
              {secret ? 'Replace secret' : 'Make a secret'}
            </button>
            {secret && (
              <button type="button" class="button danger-quiet" onClick={() => void remove()}>
                Remove
              </button>
            )}
          </div>
        )}
        <KeyPair agent={agent} onSave={save} />
      </section>
      <section class="card">
        <h2>2. Your server says who it is</h2>
        <div class="ways" role="group" aria-label="Language of your server">
          {samples.map(({ name }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === sample?.name}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
        {sample && (
          <>
            <p class="hint">
              {sample.where} It needs no library. The secret stays in the environment of your server, never in
              a page.
            </p>
            <Code label={`Code for ${sample.name}`} text={sample.text} />
          </>
        )}
      </section>
      <section class="card">
        <h2>3. Your page hands it on</h2>
        <p class="hint">
          Beside the code of the widget, where /chat-token is an address of yours that answers with a token
          for whoever is signed in. When somebody signs out: parley('logout').
        </p>
        <Code label="Code for your page" text={identifyCode} />
      </section>
      {(isSet || required) && mayChange && (
        <section class="card">
          <h2>4. Everybody, or signed-in visitors alone</h2>
          <Check
            key={String(required)}
            label="Answer signed-in visitors only"
            hint="Without a token nobody is answered: show the widget to those who are signed in. The preview needs none."
            checked={required}
            onChange={(on) => void require(on)}
          />
        </section>
      )}
    </div>
  );
}
