import { expect, onTestFinished, test, vi } from 'vitest';
import { RemoteReaders } from './remote-readers.ts';

function readers() {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  return { remote: new RemoteReaders(100), at: (ms: number) => now.mockReturnValue(ms) };
}

test('a turn is read until the last process has left', () => {
  const { remote } = readers();
  remote.add('item', 'one');
  remote.add('item', 'other');
  remote.remove('item', 'one');
  expect(remote.isRead('item', 'one')).toBe(true);
  remote.remove('item', 'other');
  remote.remove('item', 'other');
  expect(remote.isRead('item', 'one')).toBe(false);
});

test('who asks is not counted', () => {
  const { remote } = readers();
  remote.add('item', 'one');
  expect(remote.isRead('item', 'one')).toBe(false);
  expect(remote.isRead('item', 'other')).toBe(true);
});

test('a process is forgotten that does not say it again', () => {
  const { remote, at } = readers();
  remote.add('item', 'dies');
  remote.add('item', 'stays');
  at(60);
  remote.add('item', 'stays');
  at(120);
  remote.add('another', 'stays');
  expect(remote.isRead('item', 'stays')).toBe(false);
  expect(remote.isRead('item', 'dies')).toBe(true);
  at(160);
  expect(remote.isRead('item', 'dies')).toBe(false);
});
