import { exitCode, startProblem } from '../start-problem.ts';
import { CommandError } from './command-error.ts';
import { HelpRequestedError } from './help-requested-error.ts';
import { say } from './say.ts';

/** A command reads its own words, and is loaded when it is given. */
const commands: Readonly<Record<string, { does: string; load: () => Promise<Run> }>> = {
  serve: { does: 'start the service', load: async () => (await import('./serve.ts')).serve },
  init: {
    does: 'make an agent with its keys, and ask it something',
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    does: 'say what is wrong with this installation',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  backup: {
    does: 'copy the database to FILE, also while the service runs',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    does: 'put the database of a backup in its place',
    load: async () => (await import('./restore.ts')).restore,
  },
  migrate: {
    does: 'bring the database up to this version',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  move: { does: 'copy an SQLite database to PostgreSQL', load: async () => (await import('./move.ts')).move },
};
type Run = (words: readonly string[]) => Promise<void>;

const [name = 'help', ...words] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (command) await (await command.load())(words);
  else if (/^(?:--)?help$|^-h$/.test(name)) process.stdout.write(help());
  else throw new CommandError(`There is no command ${name}.\n\n${help()}`);
} catch (error) {
  if (error instanceof HelpRequestedError) say(`${error.message}\n\nTo ${command?.does}.`);
  else fail(error);
}

function fail(error: unknown) {
  const problem = error instanceof CommandError ? error.message : startProblem(error);
  if (problem === null) throw error;
  process.stderr.write(`${problem}\n`);
  process.exitCode = exitCode(error);
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(8)} ${does}\n`);
  return `Usage: parley COMMAND. It reads the same variables of the environment as the service.\n\n${lines.join('')}`;
}
