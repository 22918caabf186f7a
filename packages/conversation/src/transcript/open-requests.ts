import type { Transcript } from './transcript.ts';
import type { SignInPart, TurnPart } from './turn.ts';

export const isOpenSignIn = (part: TurnPart): part is SignInPart => part.kind === 'sign-in' && !part.outcome;

/** What the visitor has to sign in to so that the agent can go on. */
export const openSignIns = ({ turns }: Transcript): SignInPart[] =>
  (turns.at(-1)?.parts ?? []).filter(isOpenSignIn);

/** How much the agent waits for the visitor to answer, approve or sign in to. */
export const openRequests = (transcript: Transcript): number =>
  transcript.requests.length + openSignIns(transcript).length;
