import type { AgentView } from '@parley/protocol/settings/agent';
import type { ModelTest } from '@parley/protocol/settings/model-test';
import { patchOf } from './agent-entries.ts';
import type { WholeEntries } from './conduct-form.ts';

/** What a model is tried with: all that is entered of it, saved or not. */
export function trialOf(entries: WholeEntries, stored: AgentView['model']): ModelTest {
  const effort = entries.effort as 'low' | '';
  return {
    model: patchOf(entries, stored).model,
    // The model's own is an effort too: leaving all of it out would try the one that visitors have.
    reasoning: { ...(effort !== '' && { effort }), show: entries.showReasoning !== '' },
  };
}
