import { beforeEach, expect, test, vi } from 'vitest';
import { unknownAgents } from './unknown-agents.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const rowsOf = (...ids: readonly string[]) => ids.map((agentId) => ({ agentId }));
const known = [{ id: 'fern' }];

test('agents are asked for where a row is of one that is not known', () => {
  const isAsked = unknownAgents();
  expect(isAsked(rowsOf('fern', 'fern'), known)).toBe(false);
  expect(isAsked(rowsOf('fern', 'wren'), known)).toBe(true);
});

test('rows of a deleted agent hide no new one', () => {
  const isAsked = unknownAgents();
  expect(isAsked(rowsOf('deleted', 'fern'), known)).toBe(true);
  expect(isAsked(rowsOf('deleted', 'fern'), known)).toBe(false);
  expect(isAsked(rowsOf('deleted', 'fern', 'wren'), known)).toBe(true);
});

test('one that stays unknown is asked for again once a minute has passed, and not before', () => {
  const isAsked = unknownAgents();
  expect(isAsked(rowsOf('wren'), known)).toBe(true);
  vi.advanceTimersByTime(40_000);
  expect(isAsked(rowsOf('wren'), known)).toBe(false);
  vi.advanceTimersByTime(20_000);
  expect(isAsked(rowsOf('wren'), known)).toBe(true);
  expect(isAsked(rowsOf('wren'), known)).toBe(false);
});
