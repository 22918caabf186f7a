import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';

const entry = 'everything';

test('everything together is less than 4 kB', async () => {
  const modules = ['session', 'follow', 'reduce-transcript', 'chat', 'error'];
  const source = modules.map((module) => `export * from './${module}.ts';`).join('\n');
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? `${import.meta.dirname}/${entry}.ts` : null),
        load: (id) => (id.endsWith(`/${entry}.ts`) ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  });
  if (!('output' in built)) throw new Error('Vite gave no output.');
  const [chunk, ...others] = built.output;
  expect(others).toEqual([]);
  expect(chunk.exports).toEqual(
    expect.arrayContaining([
      'createChat',
      'createSessions',
      'followSession',
      'ParleyError',
      'reduceTranscript',
    ]),
  );
  expect(brotliCompressSync(chunk.code).byteLength).toBeLessThan(4000);
});
