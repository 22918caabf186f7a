import type { ReasoningSettings } from '@parley/protocol/settings/model';

/** How long a provider may take, in milliseconds. */
export interface ModelTiming {
  /** From the request to the first part of its stream. */
  readonly firstChunk: number;
  /** How long it may send nothing at all from there to the first part of its answer. */
  readonly firstPart: number;
  /** How long it may send nothing at all after that. */
  readonly stall: number;
  /** From the first attempt until the last may still show a first part. */
  readonly retryBudget: number;
  /** The mean pause before the second attempt; it doubles with each. */
  readonly backoff: number;
}

export const providerTiming: ModelTiming = {
  firstChunk: 60_000,
  firstPart: 60_000,
  stall: 60_000,
  retryBudget: 60_000,
  backoff: 1_000,
};

/** Some providers send nothing while their model thinks. */
const firstPartAfterReasoning = 180_000;

/** Whoever asks a model to think gives it the time for that. */
export const timingFor = (timing: ModelTiming, { effort }: ReasoningSettings): ModelTiming =>
  effort === undefined || effort === 'none' ? timing : { ...timing, firstPart: firstPartAfterReasoning };
