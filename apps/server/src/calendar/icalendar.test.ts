import ICAL from 'ical.js';
import { Settings } from 'luxon';
import { expect, onTestFinished, test } from 'vitest';
import { calendarFeed, invitationTo } from './icalendar.ts';

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

async function feedOf(appointments: Parameters<typeof calendarFeed>[1]): Promise<string> {
  let feed = '';
  for await (const piece of calendarFeed(calendar, appointments, 'desk@shop.example')) feed += piece;
  return feed;
}

test('a feed is one calendar, however many appointments there are and whatever they say', async () => {
  const note = 'Up the hill\r\nBEGIN:VEVENT\rEND:VCALENDAR\n'.repeat(20);
  for (const count of [0, 1, 10, 11, 40]) {
    const booked = Array.from({ length: count }, (_, at) => ({
      ...appointment,
      id: `appointment_${at}`,
      note,
    }));
    const feed = await feedOf(booked);
    const read = new ICAL.Component(ICAL.parse(feed));
    expect(read.getFirstPropertyValue('x-wr-calname')).toBe('Test ride');
    const uids = read.getAllSubcomponents('vevent').map((event) => event.getFirstPropertyValue('uid'));
    expect(uids, String(count)).toEqual(booked.map(({ id }) => id));
    expect(feed.split(/\r\n(?:BEGIN|END):VCALENDAR/)).toHaveLength(2);
  }
});

test('others have their turn while the feed of a full calendar is made', async () => {
  const note = 'A note with ü; and, more. '.repeat(38);
  const booked = Array.from({ length: 200 }, (_, at) => ({ ...appointment, id: `appointment_${at}`, note }));
  let turns = 0;
  let isMade = false;
  const count = () => {
    turns += 1;
    if (!isMade) setImmediate(count);
  };
  setImmediate(count);
  await feedOf(booked);
  isMade = true;
  expect(turns).toBeGreaterThan(10);
});
