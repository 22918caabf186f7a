import { modelCredentials } from '@parley/protocol/settings/model';
import type { FieldChange } from '@parley/protocol/settings/revision';
import { type Agent, agentView } from '../agent.ts';
import { credentialView } from '../credentials.ts';
import { leavesOf } from '../leaves.ts';

/** What differs between two states of an agent, of all that a revision has; credentials by their last characters. */
export function changedFields(before: Agent, after: Agent): FieldChange[] {
  const [was, is] = [leaves(before), leaves(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const changes = [...names].flatMap((field): FieldChange[] =>
    JSON.stringify(was[field]) === JSON.stringify(is[field])
      ? []
      : [{ field, before: was[field], after: is[field] }],
  );
  for (const name of modelCredentials) {
    const [old, now] = [before.credentials[name], after.credentials[name]];
    // Two may end alike.
    if (old !== now) changes.push({ field: `model.${name}`, before: shown(old), after: shown(now) });
  }
  return changes;
}

function leaves(agent: Agent): Readonly<Record<string, unknown>> {
  const view = agentView({ ...agent, revision: 0, credentials: {} });
  const {
    active: _active,
    pauseMessage: _message,
    identity: _identity,
    savedQuestions: _questions,
    ...compared
  } = view;
  return leavesOf(compared);
}

const shown = (credential: string | undefined) =>
  credential === undefined ? undefined : credentialView(credential);
