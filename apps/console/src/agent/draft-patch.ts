import type { AgentView } from '@parley/protocol/settings/agent';
import type { DraftPatch } from '@parley/protocol/settings/revision';
import { changedIn } from '../ui/changed-in.ts';
import { patchOf } from './agent-entries.ts';
import { conductPatch } from './conduct-entries.ts';
import type { WholeEntries } from './conduct-form.ts';

/** Settings whose fields are changed one by one. */
const groups = new Set(['widget', 'reasoning', 'files', 'limits']);

type Fields = Readonly<Record<string, unknown>>;

/** Of the fields that the draft is given, those that the entries change: what was not entered is not the draft's. */
export function draftPatchOf(
  entries: WholeEntries,
  before: WholeEntries,
  model: AgentView['model'],
): DraftPatch {
  const [was, is] = [wholePatch(before, model), wholePatch(entries, model)];
  const changes = Object.entries(changedIn(was, is)).map(([name, value]) => [
    name,
    groups.has(name) ? changedIn(Object(was[name]), Object(value)) : value,
  ]);
  return Object.fromEntries(changes) as DraftPatch;
}

function wholePatch(entries: WholeEntries, model: AgentView['model']): Fields {
  const [said, conduct] = [patchOf(entries, model), conductPatch(entries)];
  return { ...said, ...conduct, widget: { ...said.widget, ...conduct.widget } };
}
