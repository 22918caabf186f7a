import type { ClientTool } from '@parley/protocol/client-tool';
import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { Issue as ProblemIssue } from '@parley/protocol/problem';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { ToolTestView } from '@parley/protocol/settings/tool-trial';
import type { z } from 'zod';
import type { OfferedTool } from '../model/model.ts';
import type { Tool, ToolOutcome } from './tool.ts';

/** The agent that tools are loaded for, apart from the settings of the tools. */
export interface ToolAgent {
  readonly id: string;
  readonly tenantId: string;
  /** Signs who the visitor is for the far side of a tool; null: the agent has no secret. */
  readonly visitorSecret: string | null;
  /** The address under which this service is known. */
  readonly serviceUrl: string;
  /** What it is connected to, with the tools that may be used. */
  readonly connections: readonly ConnectionSettings[];
  /** What it may do with the contacts that it talks to. */
  readonly contacts: 'none' | 'read' | 'change';
  /** It may ask the team. */
  readonly mayAskTeam: boolean;
}

/** What of a session decides which tools its model is offered. */
export interface ToolSession {
  readonly interface: 'chat' | 'sessions';
  /** Somebody is there to answer questions and approvals. */
  readonly canRequestInput: boolean;
  /** The functions of the visitor's page. */
  readonly clientTools: readonly ClientTool[];
}

/** The tools that the model of one session is offered, and those alone are called. */
export interface ToolSet {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The same as a model call takes them. One array per set: what is derived from it may be kept by its identity. */
  readonly offered: readonly OfferedTool[];
}

/** The tools of one agent, as its settings were when they were loaded. */
export interface AgentTools {
  forSession(session: ToolSession): ToolSet;
}

/** The tools of one kind, loaded for one agent. */
export interface LoadedTools {
  /** The tools of this kind for a session. Called often: it waits for nothing. */
  forSession(session: ToolSession): readonly Tool[];
  /** Lets go of connections. Called once, when no turn uses the tools any more. */
  close(): Promise<void>;
}

/**
 * Where tools of one kind come from. `Settings` are the settings of one such tool as they run, secrets opened; `never`
 * for a kind that nobody sets up.
 */
export interface ToolSource<Settings = never> {
  /**
   * Loads what an agent has of this kind, once for as long as its settings stay the same. Rejects only for what is wrong
   * on this side, and the turn fails: a far side out of reach is fewer tools. Every wait in it ends by itself.
   */
  load(agent: ToolAgent, settings: readonly Settings[]): Promise<LoadedTools>;
}

/** A kind of tool that administrators set up: how its settings are kept, shown, patched, validated and tried out. */
export interface ConfiguredToolSource<
  Settings,
  Secrets = unknown,
  Patch = unknown,
> extends ToolSource<Settings> {
  /** `kind` of its settings. */
  readonly kind: string;
  readonly schema: z.ZodType<Settings>;
  readonly secretsSchema: z.ZodType<Secrets>;
  /** The objects of its settings that a patch changes inside. */
  readonly patchedInside: readonly string[];
  /** The settings as they may lie in plain sight, and what is encrypted of them, which is JSON; null: nothing is. */
  splitSecrets(settings: Settings): { readonly config: object; readonly secrets: Secrets | null };
  /** The settings as they were before the split. The caller checks them: a database may hold anything. */
  joinSecrets(config: object, secrets: Secrets | null): unknown;
  /** What the settings API shows: every secret masked. */
  view(settings: Settings): object;
  /** The patch with stored secrets in place of the masks that were sent back. Throws `ToolSettingsError`. */
  unmask(settings: Settings, patch: Patch): object;
  /** What keeps the settings from working, for the administrator who wrote them. */
  validate(settings: Omit<Settings, 'id' | 'createdAt'>): Promise<readonly ProblemIssue[]>;
  /** Calls the tool once, for no visitor; not at all where the input is at fault. */
  test(settings: Settings, input: Record<string, unknown>, call: ToolTestCall): Promise<ToolTestResult>;
}

/** Any source, as the registry knows it. */
export type AnyToolSource = ToolSource<unknown> | ConfiguredToolSource<ToolSettings>;

export interface ToolTestCall {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/** What a test sent and what came back, as they may be shown. */
export type ToolExchange = Pick<ToolTestView, 'request' | 'response'>;

export type ToolTestResult =
  | { readonly issues: readonly ProblemIssue[] }
  /** Without an exchange nothing was sent. */
  | { readonly outcome: ToolOutcome; readonly exchange?: ToolExchange | undefined };
