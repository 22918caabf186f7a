import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../testing/test-service.ts';

const consoleFolder = join(import.meta.dirname, '../../../../console');

beforeAll(() => {
  if (!existsSync(join(consoleFolder, 'dist/index.html')))
    execFileSync(process.execPath, [join(consoleFolder, 'build/build.ts')]);
});

test('the page runs its own files only, makes no script of text, and stands in no frame', async () => {
  const service = await testService();
  const { status, headers, body } = await service.call('/console');
  expect(status).toBe(200);
  const directives = String(headers.get('content-security-policy')).split('; ');
  expect(Object.fromEntries(directives.map((directive) => directive.split(/ (.*)/, 2)))).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data: blob:",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  // Such a policy would leave a script or a style that stands in the page undone.
  for (const [tag] of String(body).matchAll(/<(?:script|link)\b[^>]*>/g))
    expect(tag).toMatch(/ (?:src|href)="(?:\/(?!\/)|data:)/);
  expect(body).not.toMatch(/<style|<script>| style=| on\w+=/);
});
