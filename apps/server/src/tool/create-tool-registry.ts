import type { Logger } from 'pino';
import type { Egress } from '../egress/egress.ts';
import { clientSource } from './client/client-source.ts';
import { httpSource } from './http/http-source.ts';
import { type Knowledge, knowledgeSource } from './knowledge/knowledge-source.ts';
import { questionSource } from './question/question-source.ts';
import { ToolRegistry } from './registry.ts';
import type { AnyToolSource } from './source.ts';

export interface ToolSourceDeps {
  /** The only way out of the process. */
  readonly egress: Pick<Egress, 'request'>;
  readonly platform: string;
  readonly knowledge: Knowledge;
}

/** Every kind of tool there is. Of several tools with one name the first counts. */
export function toolSources(deps: ToolSourceDeps): readonly AnyToolSource[] {
  return [httpSource(deps), knowledgeSource(deps.knowledge), clientSource, questionSource];
}

export function createToolRegistry(deps: ToolSourceDeps, logger: Logger): ToolRegistry {
  return new ToolRegistry(toolSources(deps), logger);
}
