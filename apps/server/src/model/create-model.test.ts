import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createModel } from './create-model.ts';

const loaded = async (source: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
  });
  return JSON.parse(stdout);
};

const seen = `
  import { registerHooks } from 'node:module';
  const names = new Set();
  registerHooks({ resolve: (name, context, next) => { if (/^(ai|@ai-sdk\\/.+)$/.test(name)) names.add(name); return next(name, context); } });
  const { createModel } = await import('./create-model.ts');
`;

test('importing it loads no provider, and using one loads no other', async () => {
  expect(await loaded(`${seen} console.log(JSON.stringify([...names]));`)).toEqual([]);
  const names = await loaded(`${seen}
    const options = { reasoning: { show: false }, credentials: {}, fetch };
    await createModel({ ...options, settings: { provider: 'openai', model: 'gpt-5', apiKey: 'key' } });
    console.log(JSON.stringify([...names]));`);
  expect(names).toEqual(expect.arrayContaining(['@ai-sdk/openai']));
  expect(names).not.toContain('@ai-sdk/anthropic');
});

test.each(['schlüssel→', 'key\r\nx-other: 1'])(
  'a key that no header can have is the key’s error: %j',
  async (apiKey) => {
    const making = createModel({
      settings: { provider: 'openai-compatible', model: 'any', baseUrl: 'https://models.example/v1' },
      reasoning: { show: false },
      temperature: undefined,
      maxOutputTokens: undefined,
      credentials: { apiKey },
      fetch,
    });
    await expect(making).rejects.toMatchObject({ name: 'ModelError', kind: 'key-rejected' });
    await expect(making).rejects.not.toThrow(apiKey);
  },
);
