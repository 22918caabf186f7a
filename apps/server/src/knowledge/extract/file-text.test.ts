import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { docxOf, pdfLine, pdfOf, wordParagraph, zipOf } from '../../testing/documents.ts';
import { Extractor } from './extractor.ts';

const extractor = new Extractor();
afterAll(() => extractor.close());

async function read(filename: string, content: Buffer | string, mediaType = '') {
  const outcome = await extractor.run('owner', 'file', { filename, mediaType, bytes: Buffer.from(content) });
  return 'problem' in outcome ? outcome.problem : outcome.found;
}

test('reads Markdown, HTML, Word documents and PDFs, by what their bytes are', async () => {
  expect(await read('notes.md', '# Opening hours\n\nFrom nine.')).toMatchObject({
    title: 'Opening hours',
    text: '# Opening hours\n\nFrom nine.',
  });
  expect(
    await read('page.html', '<html lang="de"><title>Zeiten</title><p>Ab neun.</p></html>'),
  ).toMatchObject({
    title: 'Zeiten',
    language: 'de',
    text: 'Ab neun.',
  });
  const word = docxOf(wordParagraph('Opening hours', 'Heading1') + wordParagraph('From nine.'));
  expect(await read('notes.docx', word)).toMatchObject({
    text: expect.stringMatching(/Opening hours\s+From nine\./),
  });
  expect(
    await read('wrongly-named.txt', pdfOf([pdfLine('From nine.'), pdfLine('Until six.')])),
  ).toMatchObject({
    text: '## Page 1\n\nFrom nine.\n\n## Page 2\n\nUntil six.',
  });
});

test('a word of a PDF that is broken at the end of a line is read as one', async () => {
  const lines = ['The cancel-', 'lation of a well-', 'known house - ', 'free.'];
  const shown = lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ');
  expect(await read('a.pdf', pdfOf([`BT /F1 12 Tf 40 700 Td ${shown} ET`]))).toMatchObject({
    text: expect.stringMatching(/The cancel-lation of a well-known house -\s+free\./),
  });
});

test('owners take turns: nobody waits for all that another one sends', async () => {
  const done: string[] = [];
  const bytes = Buffer.from('Text.');
  const send = async (owner: string, filename: string) => {
    await extractor.run(owner, 'file', { filename, mediaType: '', bytes });
    done.push(filename);
  };
  await Promise.all([
    send('one', '1'),
    send('one', '2'),
    send('one', '3'),
    send('other', '4'),
    send('one', '5'),
  ]);
  expect(done).toEqual(['1', '2', '4', '3', '5']);
});

test('reads text in the encoding that it names, and no other', async () => {
  const text = 'Grüße aus Köln';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const latin1 = Buffer.from(text, 'latin1');
  expect(await read('a.txt', utf16)).toMatchObject({ text });
  expect(await read('a.txt', latin1, 'text/plain; charset=iso-8859-1')).toMatchObject({ text });
  expect(
    await read('a.html', Buffer.concat([Buffer.from('<meta charset="iso-8859-1"><p>'), latin1])),
  ).toMatchObject({ text });
  expect(await read('a.txt', latin1)).toMatch(/^It is not in UTF-8/);
  expect(await read('a.txt', latin1, 'text/plain; charset=utf-8')).toMatch(/^It is not in UTF-8/);
  expect(await read('a.txt', latin1, 'text/plain; charset=no-such')).toMatch(/^It is not in no-such/);
  expect(await read('a.txt', Buffer.from(Array.from({ length: 999 }, (_, index) => index % 9)))).toMatch(
    /^It is no text/,
  );
});

const megabytes = (count: number) => Buffer.alloc(count * 1_000_000, ' ');

test('what is built to do harm costs a sentence', async () => {
  const hostile: [string, Buffer | string, RegExp][] = [
    [
      'bomb.docx',
      docxOf(wordParagraph('x'), { 'word/media/a.xml': megabytes(70) }, 10),
      /unpacks to more than 64 MB/,
    ],
    ['deep.html', '<div>'.repeat(5_000), /nested too deeply/],
    ['deep.docx', docxOf('<w:tbl><w:tr><w:tc>'.repeat(20_000)), /nested too deeply|damaged/],
    ['scan.pdf', pdfOf(['0 0 m 9 9 l S']), /There is no text in it: its pages may be pictures/],
    ['locked.pdf', pdfOf([pdfLine('x')], locked), /It has a password/],
    ['old.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Word document/],
    ['archive.zip', zipOf({ 'a.txt': 'x' }), /no Word document/],
    ['broken.docx', Buffer.from('PK\x03\x04 and nothing else'), /damaged/],
    ['broken.pdf', '%PDF-1.7 and nothing else', /damaged/],
    ['empty.txt', ' \n ', /no text in it/],
  ];
  for (const [name, content, problem] of hostile) expect(await read(name, content), name).toMatch(problem);
});

/** What a document may take of time never comes, however slow the machine is: only memory ends it. */
function holdTime(): void {
  const { setTimeout } = globalThis;
  const held = (callback: () => void, ms: number) => setTimeout(callback, ms < 15_000 ? ms : 2 ** 31 - 1);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(held as typeof setTimeout);
  onTestFinished(() => void vi.restoreAllMocks());
}

const tooMuchMemory = 'It takes too much memory to be read.';

test('what is inflated outside of the heap ends at a bound, and nobody waits meanwhile', async () => {
  holdTime();
  const reading = { done: false };
  const bomb = read('bomb.pdf', pdfOf([megabytes(400)])).finally(() => (reading.done = true));
  let turns = 0;
  for (; !reading.done; turns += 1) await setImmediate();
  expect(await bomb).toBe(tooMuchMemory);
  expect(turns).toBeGreaterThan(100);
  // The next document gets a new thread.
  expect(await read('a.txt', 'Hello')).toMatchObject({ text: 'Hello' });
});

test('what is made of a document within the heap ends at a bound', { timeout: 60_000 }, async () => {
  holdTime();
  expect(await read('elements.html', '<b></b>'.repeat(1_500_000))).toBe(tooMuchMemory);
  expect(await read('a.txt', 'Hello')).toMatchObject({ text: 'Hello' });
});

test('what takes longer than 15 s ends then, and the next document gets a new thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const slow = read('slow.html', '<p>x</p>'.repeat(50_000));
  // No answer of the thread comes in between.
  vi.advanceTimersByTime(15_000);
  expect(await slow).toBe('It could not be read within 15 s.');
  expect(await read('a.txt', 'Hello')).toMatchObject({ text: 'Hello' });
});

/** What a file says that is encrypted with a password that nobody here has. */
const locked = `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`;
