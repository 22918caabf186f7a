import type { Transcript } from './transcript.ts';
import type { SignInPart, TurnPart } from './turn.ts';

const isOpen = (part: TurnPart): part is SignInPart => part.kind === 'sign-in' && !part.outcome;

/** What the visitor has to sign in to so that the agent can go on. */
export const openSignIns = ({ turns }: Transcript): SignInPart[] =>
  (turns.at(-1)?.parts ?? []).filter(isOpen);
