import { isDeepStrictEqual } from 'node:util';
import type { AgentSettings } from '@parley/protocol/settings/agent';

/** Settings whose fields are changed one by one; of the others each is a whole. */
const groups = ['reasoning', 'limits', 'widget', 'files'] as const;
const absent = undefined;

type Parts = ReadonlyMap<string, unknown>;

interface Merged {
  readonly settings: AgentSettings;
  /** What both sides changed, and not alike: the draft's is taken. */
  readonly conflicts: readonly string[];
}

/**
 * Live settings with what the draft changes. What it leaves as it was when it began follows live; `base` is what it
 * began from, or null where nobody knows that any more: then all that differs is in conflict.
 */
export function mergeSettings(base: AgentSettings | null, live: AgentSettings, draft: AgentSettings): Merged {
  const [was, is, wanted] = [base && partsOf(base), partsOf(live), partsOf(draft)];
  const merged = new Map(is);
  const conflicts: string[] = [];
  for (const name of new Set([...is.keys(), ...wanted.keys(), ...(was?.keys() ?? [])])) {
    const [before, now, next] = [was?.get(name), is.get(name), wanted.get(name)];
    if (was && isDeepStrictEqual(next, before)) continue;
    if (next === absent) merged.delete(name);
    else merged.set(name, next);
    if (!isDeepStrictEqual(next, now) && !(was && isDeepStrictEqual(now, before))) conflicts.push(name);
  }
  return { settings: settingsFrom(merged), conflicts };
}

const isGroup = (name: string): boolean => groups.some((group) => group === name);

function partsOf(settings: AgentSettings): Parts {
  return new Map(
    Object.entries(settings)
      .flatMap(([name, value]): [string, unknown][] =>
        isGroup(name)
          ? Object.entries(Object(value)).map(([inner, each]) => [`${name}.${inner}`, each])
          : [[name, value]],
      )
      .filter(([, value]) => value !== absent),
  );
}

function settingsFrom(parts: Parts): AgentSettings {
  const settings: Record<string, Record<string, unknown>> = Object.fromEntries(
    groups.map((name) => [name, {}]),
  );
  for (const [name, value] of parts) {
    const [group = '', inner] = name.split('.');
    if (inner === undefined) settings[group] = value as Record<string, unknown>;
    else settings[group]![inner] = value;
  }
  return settings as unknown as AgentSettings;
}
