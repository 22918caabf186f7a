import ICAL from 'ical.js';
import { Settings } from 'luxon';
import { expect, onTestFinished, test } from 'vitest';
import { invitationTo } from './icalendar.ts';

const calendar = { title: 'Test ride', location: 'Quay 4', timeZone: 'Europe/Berlin' };
const appointment = {
  id: 'appointment_1',
  connectionId: 'connection_1',
  startsAt: Date.parse('2026-11-30T09:00:00Z'),
  endsAt: Date.parse('2026-11-30T09:30:00Z'),
  name: 'Ada',
  email: 'ada@example.com',
  note: null,
  visitor: null,
  conversation: null,
  status: 'booked' as const,
  revision: 0,
};
const invitation = (name: string) => invitationTo(calendar, { ...appointment, name }, 'desk@shop.example');

test('whoever books writes to nobody through the name that they give', () => {
  const name = `Win at https://prize.example/a?b=1, write to me@prize.example. ${'Now! '.repeat(20)}`;
  const { subject, text, event } = invitation(name);
  expect(subject).toBe('Test ride: Monday, 30 November 2026, 10:00 (Europe/Berlin)');
  const attendee = new ICAL.Component(ICAL.parse(event.content))
    .getFirstSubcomponent('vevent')
    ?.getFirstProperty('attendee');
  expect(attendee?.getFirstValue()).toBe('MAILTO:ada@example.com');
  const [line = ''] = text.split('\n');
  const said = [
    line.replace(/, your appointment is booked\.$/, ''),
    String(attendee?.getFirstParameter('cn')),
  ];
  for (const each of said) {
    expect(each).toMatch(/^Win at https: \/ \/ prize\. example/);
    expect(each).not.toMatch(/\w[.@]\w|:\/\//);
    expect(each.length).toBeLessThanOrEqual(80);
  }
  for (const plain of ['Ada', 'Dr. Müller', 'J. R. R. Tolkien', '山田 太郎'])
    expect(invitation(plain).text.split('\n')[0]).toBe(`${plain}, your appointment is booked.`);
});

test('an invitation is in one language, whatever that of the machine is', () => {
  const before = Settings.defaultLocale;
  onTestFinished(() => void (Settings.defaultLocale = before));
  Settings.defaultLocale = 'de';
  expect(invitation('Ada').subject).toBe('Test ride: Monday, 30 November 2026, 10:00 (Europe/Berlin)');
});
