import type { ClientTool } from './client-tool.ts';

/** What the page has told of itself. */
export type ContextValues = Record<string, unknown> | null;

export type OfferedTool = Pick<ClientTool, 'name' | 'description' | 'parameters'>;
/** By name; null for one that was taken away, of which the agent has to be told. */
export type Tools = ReadonlyMap<string, { tool: ClientTool; offered: OfferedTool } | null>;
