import type { AgentTools, ToolSet } from './source.ts';
import type { Tool } from './tool.ts';

/** Of the tools those that somebody may try out again and again: what may be repeated, and asks nobody. */
export const harmlessTools = (all: AgentTools): AgentTools => ({
  forSession(session): ToolSet {
    const { tools, offered } = all.forSession(session);
    const kept = new Map([...tools].filter(([, tool]) => isHarmless(tool)));
    return { tools: kept, offered: offered.filter(({ name }) => kept.has(name)) };
  },
});

const isHarmless = (tool: Tool): boolean =>
  tool.executor === 'server' && tool.approval === 'never' && !tool.perVisitor && tool.idempotent;
