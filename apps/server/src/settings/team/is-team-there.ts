import { type TeamHours, weekdays } from '@parley/protocol/settings/team';

/** Whether the hours say that somebody is there at this moment. */
export function isTeamThere(hours: TeamHours, at: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  const weekday = weekdays.find((each) => each === part('weekday').toLowerCase());
  const open = weekday && hours[weekday];
  const time = `${part('hour')}:${part('minute')}`;
  return open != null && open.from <= time && time < open.to;
}
