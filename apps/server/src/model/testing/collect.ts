import type { ModelPart } from '../model.ts';

export const collect = async (parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> => {
  const all: ModelPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
};
