import type { InputRequest } from '@parley/protocol/ask';
import type { Author } from '@parley/protocol/event';
import type { Turn } from './turn.ts';

/** A divider in the conversation; it stands before `turns[turnsBefore]`. `person` and `assistant`: who answers from there on. */
export type TranscriptMark = {
  kind: 'cleared' | 'compacting' | 'compacted' | 'person' | 'assistant';
  turnsBefore: number;
  at: string;
};

export type PendingRequest = InputRequest & { turnId: string };

/** A session as a UI shows it. Plain JSON: store it and go on from `nextIndex` later. */
export type Transcript = {
  status: 'idle' | 'working' | 'ended';
  /** Where to follow from. */
  nextIndex: number;
  continuationToken?: string;
  agentName?: string;
  /** The member of the team who answers; null: the agent answers again. */
  person?: Author | null;
  turns: readonly Turn[];
  /** Approvals and questions that wait for an answer, oldest first. */
  requests: readonly PendingRequest[];
  marks: readonly TranscriptMark[];
  /** Why the session ended, if it failed. */
  error?: { code: string; message: string };
};

export const emptyTranscript: Transcript = {
  status: 'idle',
  nextIndex: 0,
  turns: [],
  requests: [],
  marks: [],
};
