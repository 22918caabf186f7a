import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code block of a page: `language title`, and why it is only shown. */
export interface Example {
  readonly language: string;
  /** The file that it goes into, `background`, or empty. */
  readonly title: string;
  /** Why no test runs it; null: one does. */
  readonly shown: string | null;
  readonly code: string;
}

const folder = join(import.meta.dirname, '../../../apps/server/docs');

/** The pages of the documentation that have examples to run, by name. */
export function readExamples(): ReadonlyMap<string, readonly Example[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return new Map(
    names.map((name) => [name.slice(0, -'.md'.length), examplesOf(readFileSync(join(folder, name), 'utf8'))]),
  );
}

function examplesOf(markdown: string): Example[] {
  return [...markdown.matchAll(/^```(\w+)([^\n]*)\n(.*?)\n```$/gms)].map(
    ([, language = '', info = '', code = '']) => {
      const [title = '', shown = null] = info.split(/ ?shown: /);
      return { language, title: title.trim(), shown, code };
    },
  );
}
