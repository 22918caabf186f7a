import { expect, test } from 'vitest';
import { chatPatterns, fillPath, platformPattern, sessionPatterns } from './paths.ts';
import { sessionHeaders } from './session-headers.ts';

test('paths and headers are named for the platform', () => {
  expect(sessionPatterns('eve').stream).toBe('/eve/v1/session/:id/stream');
  expect(sessionHeaders('eve').sessionId).toBe('x-eve-session-id');
});

test('an id cannot leave its place in the path', () => {
  expect(fillPath(chatPatterns.stream, 'a/b?c#d$&')).toBe('/api/v1/agent/chat/a%2Fb%3Fc%23d%24%26/stream');
  expect(fillPath(chatPatterns.stream, 'x\ud800')).toBe('/api/v1/agent/chat/x%EF%BF%BD/stream');
});

test('a platform is a name that paths and headers can carry', () => {
  for (const name of ['parley', 'eve', 'a-1']) expect(name).toMatch(platformPattern);
  for (const name of ['', 'Parley', '1a', 'a/b', 'a b', '../x']) expect(name).not.toMatch(platformPattern);
});
