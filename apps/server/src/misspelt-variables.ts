import { distance } from 'fastest-levenshtein';
import { readConfig } from './config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Letters in which a name may differ from one that is meant: one of a short name, two of others. */
const nearness = (name: string): number => (name.length < 8 ? 1 : 2);

/** The variables that are set, mean nothing, and read like one that is not set; `meant` is the nearest of those. */
export function misspeltVariables(env: Environment): readonly { given: string; meant: string }[] {
  const known = knownVariables();
  return Object.keys(env).flatMap((given) => {
    if (known.has(given)) return [];
    const near = [...known]
      .filter((name) => !env[name] && distance(given.toUpperCase(), name) <= nearness(name))
      .toSorted((a, b) => distance(given.toUpperCase(), a) - distance(given.toUpperCase(), b));
    return near.slice(0, 1).map((meant) => ({ given, meant }));
  });
}

/** Whatever the configuration looks for. */
function knownVariables(): ReadonlySet<string> {
  const known = new Set<string>();
  readConfig(
    new Proxy<Environment>(
      {},
      {
        get(_, name) {
          known.add(String(name));
          return undefined;
        },
      },
    ),
  );
  return known;
}
