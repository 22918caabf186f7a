import { type Pipeline, defaultPipeline, pipelineSchema } from '@parley/protocol/settings/pipeline';

/** How a tenant keeps its contacts, as it is stored; the default where nothing is, or nothing that can be read. */
export function storedPipeline(stored: unknown): Pipeline {
  return pipelineSchema.safeParse(stored).data ?? defaultPipeline;
}
