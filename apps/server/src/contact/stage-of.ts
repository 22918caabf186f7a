import type { Pipeline } from '@parley/protocol/settings/pipeline';
import type { ContactQuery, ContactRecord } from '../store/contact-store.ts';

/** The stage that a contact counts as in: the first, where it was never moved or its stage is gone. */
export function stageOf({ stage }: Pick<ContactRecord, 'stage'>, stages: Pipeline['stages']): string {
  return stages.some(({ id }) => id === stage) ? stage : (stages[0]?.id ?? stage);
}

/** Which contacts count as in this stage. */
export function inStage(stage: string, stages: Pipeline['stages']): ContactQuery['stage'] {
  const [first, ...others] = stages;
  return stage === first?.id ? { isNot: others.map(({ id }) => id) } : { is: stage };
}
