import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { mount } from './mount.ts';

const table: readonly Route[] = routes('parley');
const deps = { adminToken: 'x' } as Parameters<typeof mount>[2];
const handlersOf = (all: readonly Route[]) =>
  Object.fromEntries(all.map(({ name }) => [name, () => {}])) as unknown as Parameters<typeof mount>[1];

test('what is served is the table, in its order', () => {
  const { stack } = mount(table, handlersOf(table), deps);
  const served = stack.map(
    ({ route }) => `${route?.stack.map(({ method }) => method).join()} ${route?.path}`,
  );
  expect(served).toEqual(table.map(({ method, path }) => `${method} ${path}`));
});

test('a route without a handler does not start', () => {
  expect(() => mount(table, handlersOf(table.slice(1)), deps)).toThrow('The route chat has no handler.');
});

test('a handler without a route does not start', () => {
  expect(() => mount(table.slice(1), handlersOf(table), deps)).toThrow('The handler chat has no route.');
});
