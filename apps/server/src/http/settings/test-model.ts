import type { Config } from '../../config.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Egress } from '../../egress/egress.ts';
import { modelFailureCause } from '../../model/model-failure-cause.ts';
import { tryModel } from '../../model/try-model.ts';
import { type Agent, agentOf, changedModel } from '../../settings/agent.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import { goneSignal } from '../gone-signal.ts';
import type { Handlers } from '../handlers.ts';
import type { Trials } from './trials.ts';

interface TestModelDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly secrets: Secrets;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly providerKeys: Config['providerKeys'];
  readonly trials: Trials;
}

/** Makes one small call of a model, with what is entered and not yet stored. */
export function testModelHandlers({
  agents,
  secrets,
  egress,
  providerKeys,
  trials,
}: TestModelDeps): Handlers<'testModel'> {
  return {
    async testModel({ response, principal, id, body }) {
      const record = await agents.find(principal, id);
      const agent = await readable(() => agentOf(record, secrets));
      const { model, credentials } =
        body.model === undefined ? agentModel(agent) : changedModel(agent, body.model);
      await trials.count(principal);
      const { temperature, maxOutputTokens } = agent.settings;
      const startedAt = performance.now();
      const failure = await tryModel({
        settings: model,
        credentials,
        reasoning: body.reasoning ?? agent.settings.reasoning,
        temperature,
        maxOutputTokens,
        operatorKeys: providerKeys,
        fetch: egress.fetch,
        signal: goneSignal(response),
      });
      const durationMs = Math.round(performance.now() - startedAt);
      const cause = failure && modelFailureCause(failure);
      const status = cause === null ? 'completed' : 'failed';
      await trials.record(principal, {
        tenantId: record.tenantId,
        kind: 'agent',
        subject: { id, name: record.name },
        found: {
          'model.provider': model.provider,
          'model.model': model.model,
          outcome: status,
          ...(cause && { cause: cause.code }),
        },
      });
      response.json({ status, durationMs, ...(cause && { cause }) });
    },
  };
}

const agentModel = ({ settings, credentials }: Agent) => ({ model: settings.model, credentials });
