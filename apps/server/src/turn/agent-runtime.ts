import type { EventDataByType } from '@parley/protocol/event';
import type { AgentSettings } from '@parley/protocol/settings/agent';
import type { Model } from '../model/model.ts';
import type { AgentTools } from '../tool/source.ts';

export interface AgentInUse {
  readonly id: string;
  readonly name: string;
  /** Switched on. */
  readonly active: boolean;
  readonly settings: AgentSettings;
}

/** An agent ready to run turns, as the settings were when it was asked for. It knows of no session. */
export interface AgentRuntime {
  readonly agent: AgentInUse;
  /** The revision of the agent's settings and tools, opaque. */
  readonly configuration: string;
  /** Of the agent, as the settings list it; null: a draft. */
  readonly revision: number | null;
  readonly model: Model;
  /** What answers where the model cannot; null: nothing does. */
  readonly fallback: Model | null;
  readonly tools: AgentTools;
  /** What `session.started` tells of it. */
  readonly description: NonNullable<EventDataByType['session.started']['runtime']>;
  /** Nothing of it is used any more: its tools may be closed. */
  readonly release: () => void;
}
