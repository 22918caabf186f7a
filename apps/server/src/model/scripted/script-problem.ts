import type { ScriptRule } from '@parley/protocol/settings/script';
import { pattern } from './pattern.ts';
import { recallPatterns } from './placeholder.ts';

/** What is wrong with the patterns of a script, for the one who wrote it, or undefined when nothing is. */
export const scriptProblem = (script: readonly ScriptRule[]): string | undefined => {
  for (const [index, rule] of script.entries()) {
    const recalls = stringsIn(rule.steps).flatMap(recallPatterns);
    for (const source of [...(rule.when === undefined ? [] : [rule.when]), ...recalls]) {
      const problem = patternProblem(source);
      if (problem !== undefined)
        return `Rule ${index + 1}: ${JSON.stringify(source)} is not a pattern: ${problem}`;
    }
  }
  return undefined;
};

const patternProblem = (source: string): string | undefined => {
  try {
    pattern(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(stringsIn);
};
