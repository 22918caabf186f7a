import { useEffect, useRef } from 'preact/hooks';
import { SignIn } from './sign-in.tsx';

/**
 * The door before a screen that stays as it is: forms, dialogs and files that were chosen are there again behind it. It
 * is itself a dialog, since only that lies before another one that is open.
 */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useEffect(() => {
    open();
    const { current } = dialog;
    // The browser gives the focus back to where it was.
    return () => current?.close();
  }, []);
  return (
    // Where a browser does not know closedby, Escape closes any dialog in the end.
    <dialog class="sign-in-again" ref={dialog} aria-label="Sign in" closedby="none" onClose={open}>
      <SignIn />
    </dialog>
  );
}
