import { expect, test } from 'vitest';
import { appointmentGridMs, type NewAppointment } from '../appointment-store.ts';
import type { Store } from '../store.ts';
import { start, type TestClock } from './samples.ts';
import { seed } from './settings.ts';

const hour = 12 * appointmentGridMs;
const keepMs = 24 * hour;

function appointment(id: string, begins: number, change: Partial<NewAppointment> = {}): NewAppointment {
  const startsAt = start + begins * hour;
  const time = { startsAt, endsAt: startsAt + hour };
  return {
    id,
    connectionId: 'connection_1',
    name: 'Ada',
    email: null,
    note: 'Bring milk.',
    visitor: null,
    conversation: 'digest',
    ...time,
    ...change,
  };
}

export function testAppointments(store: () => Store, clock: TestClock): void {
  const list = async () => {
    const all = { connectionId: 'connection_1', from: 0, before: Number.MAX_SAFE_INTEGER, limit: 99 };
    return (await store().listAppointments(all)).map(({ id }) => id);
  };

  test('of many who book a time at once one has it, and nobody a part of it', async () => {
    await seed(store());
    const tries = Array.from({ length: 8 }, (_, index) => appointment(`a${index}`, 1));
    const booked = await Promise.all(tries.map((each) => store().bookAppointment(each, keepMs)));
    expect(booked.toSorted()).toEqual(['done', ...Array.from({ length: 7 }, () => 'taken')]);
    const overlapping = appointment('late', 1.5);
    expect(await store().bookAppointment(overlapping, keepMs)).toBe('taken');
    expect(await store().getAppointment('connection_1', 'late')).toBeNull();
    expect(await store().bookAppointment(appointment('next', 2), keepMs)).toBe('done');
    const elsewhere = appointment('lost', 5, { connectionId: 'connection_0' });
    expect(await store().bookAppointment(elsewhere, keepMs)).toBe('missing');
    expect(await list()).toHaveLength(2);
  });

  test('the same appointment is booked once, and given back as it is', async () => {
    await seed(store());
    const wanted = appointment('a', 1);
    for (let time = 0; time < 2; time++) expect(await store().bookAppointment(wanted, keepMs)).toBe('done');
    expect(await store().getAppointment('connection_1', 'a')).toEqual({
      ...wanted,
      status: 'booked',
      revision: 0,
    });
    expect(await store().getAppointment('connection_2', 'a')).toBeNull();
  });

  test('what is moved leaves its time to others, and takes none of theirs', async () => {
    await seed(store());
    await store().bookAppointment(appointment('a', 1), keepMs);
    await store().bookAppointment(appointment('b', 3), keepMs);
    const { startsAt, endsAt } = appointment('', 1.5);
    expect(await store().moveAppointment('connection_1', 'a', { startsAt, endsAt })).toBe('done');
    expect(await store().bookAppointment(appointment('c', 0.5), keepMs)).toBe('done');
    const taken = appointment('', 2.5);
    expect(await store().moveAppointment('connection_1', 'a', taken)).toBe('taken');
    expect(await store().getAppointment('connection_1', 'a')).toMatchObject({
      startsAt,
      endsAt,
      revision: 1,
    });
    expect(await store().moveAppointment('connection_1', 'nobody', taken)).toBe('missing');
    // Two who move it at once: it is at one of both places, and at no other.
    const places = [appointment('', 6), appointment('', 8)];
    expect(await Promise.all(places.map((to) => store().moveAppointment('connection_1', 'a', to)))).toEqual([
      'done',
      'done',
    ]);
    const free = await Promise.all(
      [1.5, 6, 8].map((begins) => store().bookAppointment(appointment(`f${begins}`, begins), keepMs)),
    );
    expect(free.toSorted()).toEqual(['done', 'done', 'taken']);
  });

  test('what is cancelled leaves its time, and what is long over goes', async () => {
    await seed(store());
    await store().bookAppointment(appointment('a', 1), keepMs);
    expect(await store().cancelAppointment('connection_2', 'a')).toBe(false);
    expect(await store().cancelAppointment('connection_1', 'a')).toBe(true);
    expect(await store().cancelAppointment('connection_1', 'a')).toBe(false);
    expect(await store().getAppointment('connection_1', 'a')).toMatchObject({
      status: 'cancelled',
      revision: 1,
    });
    expect(await store().bookAppointment(appointment('b', 1), keepMs)).toBe('done');
    expect(await list()).toEqual(['b']);
    clock.now = start + 2 * hour + keepMs + 1;
    expect(await store().bookAppointment(appointment('c', 99), keepMs)).toBe('done');
    expect(await list()).toEqual(['c']);
    await store().settings.connections.remove('connection_1');
    expect(await list()).toEqual([]);
  });
}
