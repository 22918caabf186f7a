import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What pages were told on 23 November 2026, before there was a package for conversations. It never changes. */
const readme = readFileSync(join(import.meta.dirname, 'kept/README.md'), 'utf8');

/** The examples in this language, in their order, with this service and key. */
export function examples(language: string, service: string, key = 'pk_stage'): string[] {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  return blocks
    .filter(([, of]) => of === language)
    .map(([, , code]) => code!.replaceAll('https://SERVICE', service).replaceAll('pk_live_…', key));
}

/** What stands in code in the first column of the table under a heading. */
export function named(heading: string): string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\n(.*?)^## `, 'ms').exec(readme) ?? [];
  const first = [...section.matchAll(/^\| (.*?) *\|/gm)].map(([, cell]) => cell!);
  return first.flatMap((cell) => [...cell.matchAll(/`(.*?)`/g)].map(([, name]) => name!));
}
