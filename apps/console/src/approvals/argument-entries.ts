type Arguments = Readonly<Record<string, unknown>>;

/** Arguments as people edit them: a text as it is, anything else as JSON. */
export const entriesOf = (input: Arguments): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** What is wrong with the entries, by argument. */
export function entryProblems(input: Arguments, entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      typeof value === 'string' || parsed(entries[name]) !== undefined
        ? []
        : [[name, `Write it as it was, such as ${JSON.stringify(value).slice(0, 60)}.`] as const],
    ),
  );
}

/** The arguments that were entered, once nothing is wrong with them. */
export const argumentsOf = (input: Arguments, entries: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? (entries[name] ?? value) : parsed(entries[name]),
    ]),
  );

function parsed(entry = ''): unknown {
  try {
    return JSON.parse(entry) as unknown;
  } catch {
    return undefined;
  }
}
