import type { Claim, NewEvent, SessionStatus } from '../store/store.ts';

export interface SessionEnd {
  readonly events: readonly NewEvent[];
  readonly status: SessionStatus;
}

/** What a session asks of whoever runs its turns; `turn/runner.ts` is the one that does. */
export interface TurnRunner {
  lease(): { readonly owner: string; readonly until: number };
  /** Works off the session's queue; `accepted` names the item that came with the claim. Returns at once. */
  run(claim: Claim, accepted?: string): void;
  /** Cancels the turn that runs, if it is the one named. False when nothing runs. */
  cancel(sessionId: string, named?: { turnId?: string; itemId?: string }): boolean;
  /** Cancels what runs and ends the session. False when nothing runs. */
  end(sessionId: string, ending: SessionEnd): Promise<boolean>;
}
