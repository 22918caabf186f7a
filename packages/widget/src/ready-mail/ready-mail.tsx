import { ParleyError, type ParleyErrorCode } from '@parley/client/error';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../ui/error-text.ts';
import { useWidget } from '../widget-context.ts';
import css from './ready-mail.css?inline';
import { useReadyMailWords } from './words.ts';

/** Characters of an address. */
const longest = 254;

/** What a browser takes as an address need not have one. */
const hasDomain = /@[^@\s]+\.[^@\s.]{2,}\s*$/;

type State =
  | { kind: 'offered' }
  | { kind: 'entering'; problem?: string; isBusy?: boolean }
  /** A mail is on its way to this address, whatever is entered after it. */
  | { kind: 'asked'; to: string }
  | { kind: 'over' };

/** Takes the address that is written to when the answer is there. */
function ReadyMail() {
  const { conversation, label, locale } = useWidget();
  const word = useReadyMailWords();
  const [state, setState] = useState<State>({ kind: 'offered' });
  const [address, setAddress] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const wasUsed = useRef(false);
  const { kind } = state;
  // The control that was used goes with what it was for: the next one takes the focus, at last the message's field.
  useLayoutEffect(() => {
    if (wasUsed.current) box.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [kind]);
  useLayoutEffect(
    () => () => {
      const root = box.current?.getRootNode() as ShadowRoot | undefined;
      if (root?.activeElement && box.current?.contains(root.activeElement))
        root.querySelector<HTMLElement>('.composer textarea')?.focus({ preventScroll: true });
    },
    [],
  );
  const go = (next: State) => {
    wasUsed.current = true;
    setState(next);
  };
  const problemOf = (code: ParleyErrorCode): string => {
    if (code === 'BAD_REQUEST') return label('entry-email');
    return code === 'QUOTA_EXCEEDED' ? word('tooMany') : errorText(code, label);
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    if (!field.validity.valid || !hasDomain.test(field.value)) {
      setState({ kind: 'entering', problem: label('entry-email') });
      return field.focus();
    }
    setState({ kind: 'entering', isBusy: true });
    try {
      const isAsked = await conversation.askForMail({ address, language: locale });
      if (isAsked) setAsked(address);
      setState(isAsked ? { kind: 'asked', to: address } : { kind: 'over' });
    } catch (error) {
      setState({
        kind: 'entering',
        problem: problemOf(error instanceof ParleyError ? error.code : 'PROTOCOL'),
      });
    }
  };
  if (kind === 'over') return null;
  return (
    <div class="notice ready-mail" ref={box}>
      {state.kind === 'entering' ? (
        <form noValidate onSubmit={(event) => void submit(event)}>
          <label>
            {word('address')}
            <input
              class="field"
              type="email"
              name="email"
              autocomplete="email"
              enterkeyhint="send"
              dir="ltr"
              maxLength={longest}
              readOnly={state.isBusy}
              value={address}
              aria-invalid={state.problem !== undefined}
              aria-describedby="parley-ready-mail"
              onInput={({ currentTarget }) => setAddress(currentTarget.value.trim())}
            />
          </label>
          <p
            id="parley-ready-mail"
            class={state.problem ? 'problem' : 'meta'}
            role={state.problem ? 'alert' : undefined}
          >
            {state.problem ?? word('use')}
          </p>
          <span class="pair">
            <button
              type="button"
              class="button small"
              disabled={state.isBusy}
              onClick={() => go(asked === null ? { kind: 'offered' } : { kind: 'asked', to: asked })}
            >
              {label('cancel')}
            </button>
            <button type="submit" class="button small primary" disabled={state.isBusy}>
              {word('confirm')}
            </button>
          </span>
        </form>
      ) : (
        <>
          <p role="status">
            {state.kind === 'asked' ? word('asked', { address: `\u2068${state.to}\u2069` }) : word('offer')}
          </p>
          <button type="button" class="button small" onClick={() => go({ kind: 'entering' })}>
            {kind === 'asked' ? label('edit') : word('take')}
          </button>
        </>
      )}
    </div>
  );
}

export { css, ReadyMail as Component };
