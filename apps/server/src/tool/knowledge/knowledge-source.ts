import type { ToolSource } from '../source.ts';
import { type KnowledgeSearch, searchTool } from './search-tool.ts';

/** What an agent knows, as tools are given it. */
export interface Knowledge extends KnowledgeSearch {
  /** Whether there is anything to be found. */
  isKnown(agentId: string): Promise<boolean>;
}

/** Every agent that knows something may look it up. */
export function knowledgeSource(knowledge: Knowledge): ToolSource {
  return {
    async load({ id }) {
      const tools = (await knowledge.isKnown(id)) ? [searchTool(id, knowledge)] : [];
      return { forSession: () => tools, close: () => Promise.resolve() };
    },
  };
}
