import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CommandError } from './command-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options of a command and its `files`, of which it takes that many. Throws `CommandError` with the usage. */
export function readWords<const Given extends Options>(
  words: readonly string[],
  { usage, options, files }: { readonly usage: string; readonly options: Given; readonly files: number },
) {
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: true });
    if (parsed.positionals.length !== files)
      throw new TypeError(files === 0 ? 'It takes options only.' : 'It takes the name of one file.');
    return parsed;
  } catch (cause) {
    throw new CommandError(`${(cause as Error).message}\nUsage: parley ${usage}`, { cause });
  }
}
