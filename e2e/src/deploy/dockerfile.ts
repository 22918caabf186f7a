export interface Instruction {
  readonly name: string;
  /** What stands before the arguments, as in `--from=build`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile without variables and here-documents. */
export function parseDockerfile(source: string): readonly Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const whole = source.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  for (const line of whole.split('\n').filter((each) => each.trim() !== '')) {
    const {
      name = '',
      flags = '',
      text = '',
    } = /^(?<name>[A-Z]+)\s+(?<flags>(?:--\S+\s+)*)(?<text>.+)$/.exec(line)?.groups ?? {};
    if (name === '') throw new Error(`This is no instruction: ${line}`);
    if (name === 'FROM') {
      const [base = '', , stage = null] = text.split(/\s+/);
      stages.push({ base, name: stage, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${name} comes before any FROM.`);
    const pairs = flags.trim().split(/\s+/).filter(Boolean);
    stage.instructions.push({
      name,
      text,
      flags: Object.fromEntries(pairs.map((pair) => pair.slice(2).split('=') as [string, string])),
    });
  }
  return stages;
}

/** The variables of an ENV. */
export function environmentOf({ text }: Instruction): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** The words of an instruction in its JSON form, in which CMD, ENTRYPOINT and HEALTHCHECK are written. */
export function wordsOf({ text }: Instruction): string[] {
  return JSON.parse(text.replace(/^CMD\s+/, '')) as string[];
}
