import { expect, test } from 'vitest';
import { LeaseLostError } from '../store-error.ts';
import type { Store } from '../store.ts';
import {
  type TestClock,
  delta,
  enqueueRequest,
  leaseMs,
  opened,
  sessionCompleted,
  start,
  texts,
  logOf,
} from './samples.ts';

const command = (id: string) => ({ id, kind: 'cancel', body: { of: id } });

export function testCommands(store: () => Store, clock: TestClock): void {
  test('a command waits for whoever holds the session, in the order of its sending', async () => {
    await opened(store());
    await opened(store(), 'session_2');
    expect(await store().sendCommand('session_1', command('first'))).toBe('sent');
    expect(await store().sendCommand('session_2', command('other'))).toBe('sent');
    expect(await store().sendCommand('session_1', command('second'))).toBe('sent');
    const [first, other, second] = ['first', 'other', 'second'].map((id) => ({
      sessionId: id === 'other' ? 'session_2' : 'session_1',
      id,
      body: { of: id },
    }));
    expect(await store().listCommands('session_1')).toEqual([first, second]);
    expect(await store().listHeldCommands({ owner: 'runner', limit: 9 })).toEqual([first, other, second]);
    expect(await store().listHeldCommands({ owner: 'runner', limit: 1 })).toEqual([first]);
    expect(await store().listHeldCommands({ owner: 'another', limit: 9 })).toEqual([]);
  });

  test('for a session that nobody holds, or that is not open, nothing is stored', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], consume: [0], release: true });
    expect(await store().sendCommand('session_1', command('a'))).toBe('free');
    await store().endSession('session_1', { events: [], status: 'completed' });
    expect(await store().sendCommand('session_1', command('b'))).toBe('not-open');
    expect(await store().sendCommand('nowhere', command('c'))).toBe('not-open');
    expect(await store().listCommands('session_1')).toEqual([]);
  });

  test('a command for a session that is queued and not held yet waits for whoever takes it', async () => {
    const sent = { id: 'a', sessionId: 'session_1', body: { of: 'a' } };
    await store().enqueue(enqueueRequest({ lease: null }));
    expect(await store().sendCommand('session_1', command('a'))).toBe('sent');
    expect(await store().listCommands('session_1')).toEqual([sent]);
    const later = enqueueRequest({ item: { id: 'item_2', body: null } });
    expect(await store().enqueue(later)).toMatchObject({
      leased: { item: { id: 'item_1' }, commands: [sent] },
    });
  });

  test('a session is not let go of while a command waits, and the commit that executes it says so', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], consume: [0] });
    await store().sendCommand('session_1', command('a'));
    expect(await store().releaseLease(lease)).toBe(false);
    expect(await store().commit(lease, { events: [delta('x')], release: true })).toMatchObject({
      released: false,
    });
    expect(await store().getCommandOutcome('a')).toBeNull();
    const executed = { events: [delta('y')], commands: [{ id: 'a', outcome: 'cancelled' }], release: true };
    expect(await store().commit(lease, executed)).toMatchObject({ released: true });
    expect(await store().getCommandOutcome('a')).toBe('cancelled');
    expect(await store().listCommands('session_1')).toEqual([]);
  });

  test('a command and a release at once: either it is stored and the lease kept, or neither', async () => {
    const results = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const sessionId = `session_${round}`;
      const lease = await opened(store(), sessionId);
      await store().commit(lease, { events: [], consume: [0] });
      const send = () => store().sendCommand(sessionId, command(`c${round}`));
      const release = () => store().releaseLease(lease);
      const [sent, released] =
        round % 2 === 0
          ? await Promise.all([send(), release()])
          : (await Promise.all([release(), send()])).toReversed();
      results.add(`${sent} ${released}`);
    }
    for (const result of results) expect(['sent false', 'free true']).toContain(result);
  });

  test('what was finished stays as it was finished', async () => {
    const lease = await opened(store());
    await store().sendCommand('session_1', command('a'));
    for (const outcome of ['cancelled', 'no-active-turn'])
      await store().commit(lease, { events: [], commands: [{ id: 'a', outcome }] });
    expect(await store().getCommandOutcome('a')).toBe('cancelled');
  });

  test('what waits when the session ends is finished with it', async () => {
    const lease = await opened(store());
    for (const id of ['a', 'b']) await store().sendCommand('session_1', command(id));
    const ending = { events: [sessionCompleted], status: 'completed' as const };
    await store().commit(lease, { ...ending, commands: [{ id: 'a', outcome: 'ended' }] });
    expect(await store().getCommandOutcome('a')).toBe('ended');
    expect(await store().getCommandOutcome('b')).toBe('session-ended');
  });

  test('what a dead owner has not executed is handed to who takes the session over', async () => {
    await opened(store());
    await store().sendCommand('session_1', command('a'));
    clock.now = start + leaseMs;
    expect(await store().sendCommand('session_1', command('b'))).toBe('sent');
    const enqueued = await store().enqueue({
      ...enqueueRequest({ item: { id: 'item_2', body: null } }),
      lease: { owner: 'next', leaseMs },
    });
    expect(enqueued).toMatchObject({ leased: { commands: [{ id: 'a' }, { id: 'b' }] } });
    expect(await store().listHeldCommands({ owner: 'next', limit: 9 })).toHaveLength(2);
    expect(await store().listHeldCommands({ owner: 'runner', limit: 9 })).toEqual([]);
  });

  test('a late owner finishes nothing', async () => {
    const late = await opened(store());
    await store().sendCommand('session_1', command('a'));
    clock.now = start + leaseMs;
    await store().acquireLease('session_1', { owner: 'next', leaseMs });
    const commands = [{ id: 'a', outcome: 'cancelled' }];
    await expect(store().commit(late, { events: [], commands })).rejects.toThrow(LeaseLostError);
    expect(await store().getCommandOutcome('a')).toBeNull();
  });

  test('a commit finishes commands of its own session only', async () => {
    const lease = await opened(store());
    await opened(store(), 'session_2');
    await store().sendCommand('session_2', command('a'));
    await store().commit(lease, { events: [], commands: [{ id: 'a', outcome: 'cancelled' }] });
    expect(await store().getCommandOutcome('a')).toBeNull();
  });

  test('a session that nobody holds is ended by whoever asks, and what waits is finished', async () => {
    await store().enqueue(enqueueRequest({ lease: null }));
    await store().sendCommand('session_1', command('a'));
    expect(await store().endSession('session_1', { events: [sessionCompleted], status: 'completed' })).toBe(
      0,
    );
    expect(await store().getCommandOutcome('a')).toBe('session-ended');
    expect(texts(await logOf(store(), 'session_1'))).toEqual(['session.completed']);
  });

  test('a hundred wait at most, and finished ones are forgotten after a minute', async () => {
    const lease = await opened(store());
    for (let number = 0; number < 100; number += 1)
      await store().sendCommand('session_1', command(`c${number}`));
    expect(await store().sendCommand('session_1', command('one more'))).toBe('full');
    await store().commit(lease, { events: [], commands: [{ id: 'c0', outcome: 'cancelled' }] });
    clock.now = start + 59_999;
    expect(await store().sendCommand('session_1', command('next'))).toBe('sent');
    expect(await store().getCommandOutcome('c0')).toBe('cancelled');
    await store().commit(lease, { events: [], commands: [{ id: 'c1', outcome: 'cancelled' }] });
    clock.now = start + 60_000;
    expect(await store().sendCommand('session_1', command('last'))).toBe('sent');
    expect(await store().getCommandOutcome('c0')).toBeNull();
    expect(await store().getCommandOutcome('c1')).toBe('cancelled');
  });

  test('commands go with their session', async () => {
    await opened(store());
    await store().sendCommand('session_1', command('a'));
    await store().removeSession('session_1');
    expect(await store().listHeldCommands({ owner: 'runner', limit: 9 })).toEqual([]);
    expect(await store().getCommandOutcome('a')).toBeNull();
  });
}
