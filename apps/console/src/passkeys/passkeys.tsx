import type { PasskeyView } from '@parley/protocol/settings/passkey';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { deleteIfThere } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';
import { NewPasskey } from './new-passkey.tsx';
import { PasskeyRow } from './passkey-row.tsx';

/** What the member signs in with instead of a password. */
export function Passkeys({ onOthersEnded }: { readonly onOthersEnded: () => Promise<void> }) {
  const passkeys = usePages<PasskeyView>('/passkeys');
  const [isAdding, setAdding] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async ({ id, name }: PasskeyView) => {
    const text = 'It does not sign you in any more, and your other sessions end.';
    if (!(await confirm({ title: `Remove the passkey ${name}?`, text, action: 'Remove passkey' }))) return;
    try {
      await deleteIfThere(`/passkeys/${id}`);
      await Promise.all([passkeys.reload(), onOthersEnded()]);
      setProblem(null);
      announce(`The passkey ${name} was removed.`);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const shown = problem ?? passkeys.problem;
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <p class="lead">
        A passkey signs you in with your finger, your face or the PIN of your device, without a password and
        without a code.
      </p>
      {shown && <Problem>{shown}</Problem>}
      {passkeys.items === null && !shown && <Loading />}
      {passkeys.items !== null && passkeys.items.length > 0 && (
        <ul class="rows">
          {passkeys.items.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRenamed={passkeys.reload}
              onRemove={() => void remove(passkey)}
            />
          ))}
        </ul>
      )}
      {isAdding ? (
        <NewPasskey
          onCancel={() => setAdding(false)}
          onAdded={async (name) => {
            setAdding(false);
            await passkeys.reload();
            announce(`The passkey ${name} was added.`);
          }}
        />
      ) : (
        <div class="actions">
          <button type="button" class="button" onClick={() => setAdding(true)}>
            Add a passkey
          </button>
        </div>
      )}
    </section>
  );
}
