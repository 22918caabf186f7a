import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CommandError } from './command-error.ts';
import { HelpRequestedError } from './help-requested-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const help = { type: 'boolean', short: 'h' } as const;

/** The options of a command and its `files`, of which it takes that many. Throws `CommandError` or `HelpRequestedError`, with the usage. */
export function readWords<const Given extends Options>(
  words: readonly string[],
  { usage, options, files }: { readonly usage: string; readonly options: Given; readonly files: number },
) {
  const line = `Usage: parley ${usage}`;
  try {
    const parsed = parseArgs({ args: [...words], options: { ...options, help }, allowPositionals: true });
    // Of generic options TypeScript does not know the values.
    if ((parsed.values as { help?: boolean }).help) throw new HelpRequestedError(line);
    if (parsed.positionals.length !== files)
      throw new TypeError(files === 0 ? 'It takes options only.' : 'It takes the name of one file.');
    return parsed;
  } catch (cause) {
    if (cause instanceof HelpRequestedError) throw cause;
    throw new CommandError(`${(cause as Error).message}\n${line}`, { cause });
  }
}
