import type { TeamHours } from '@parley/protocol/settings/team';

export const days = [
  ['monday', 'Monday'],
  ['tuesday', 'Tuesday'],
  ['wednesday', 'Wednesday'],
  ['thursday', 'Thursday'],
  ['friday', 'Friday'],
  ['saturday', 'Saturday'],
  ['sunday', 'Sunday'],
] as const;

type Entries = Readonly<Record<string, string>>;

/** Two fields of each day. A field for a time has no 24:00: a day that ends at midnight has 00:00 there. */
export function hourEntries(hours: TeamHours | null): Record<string, string> {
  const entries = days.flatMap(([day]) => {
    const { from = '', to = '' } = hours?.[day] ?? {};
    return [
      [`${day} from`, from],
      [`${day} to`, to === '24:00' ? '00:00' : to],
    ];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

export function hourProblems(entries: Entries): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [day] of days) {
    const { from, to } = entered(entries, day);
    if ((from === '') !== (to === '')) problems[day] = 'Enter both times, or neither.';
    else if (from !== '' && from >= to) problems[day] = 'The end comes after the beginning.';
  }
  return problems;
}

/** Null where no day has any: nobody has said. */
export function enteredHours(entries: Entries): TeamHours | null {
  const open = days.filter(([day]) => entries[`${day} from`] !== '');
  if (open.length === 0) return null;
  const hours = open.map(([day]) => [day, entered(entries, day)]);
  return { timeZone: entries['timeZone'] ?? '', ...(Object.fromEntries(hours) as Partial<TeamHours>) };
}

function entered(entries: Entries, day: string): { readonly from: string; readonly to: string } {
  const { [`${day} from`]: from = '', [`${day} to`]: to = '' } = entries;
  return { from, to: to === '00:00' ? '24:00' : to };
}
