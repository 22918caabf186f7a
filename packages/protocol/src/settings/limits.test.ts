import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitsSchema } from './limits.ts';

const page = readFileSync(new URL('../../../../apps/server/docs/secure.md', import.meta.url), 'utf8');
const columns = ['Session', 'Address', 'Key'];

/** The limits that the documentation's table states for one resource and one dimension. */
function stated(resource: string, dimension: string): readonly string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${resource}\` `));
  const cell = row?.split('|')[columns.indexOf(dimension) + 2] ?? '';
  return cell.trim().split(', ');
}

function amount(resource: string, value: number): string {
  if (resource !== 'storedBytes') return value.toLocaleString('en');
  const mebibytes = value / 1024 ** 2;
  return mebibytes < 1024 ? `${mebibytes} MiB` : `${mebibytes / 1024} GiB`;
}

test.each(Object.entries(limitsSchema.parse({})))(
  'the documentation states the default of %s',
  (name, value) => {
    if (name === 'tokensPerDay') return expect(page).toContain(`${amount('tokens', value)} tokens a day`);
    const perKey = name === 'sessionsPerMinute' ? 'sessionsPerKeyPerMinute' : name;
    const [, resource = '', dimension = '', window] =
      /^([a-zA-Z]+?)Per(Session|Address|Key)(?:Per(Minute|Day))?$/.exec(perKey) ?? [];
    const suffix = window ? ` a ${window.toLowerCase()}` : resource === 'streams' ? ' at once' : '';
    expect(stated(resource, dimension)).toContain(amount(resource, value) + suffix);
  },
);
