import type { InputRequest } from '@parley/protocol/ask';
import type { Turn } from './turn.ts';

/** A divider in the conversation; it stands before `turns[turnsBefore]`. */
export type TranscriptMark = {
  kind: 'cleared' | 'compacting' | 'compacted';
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
