import { expect, test } from 'vitest';
import { htmlText } from './html-text.ts';

const said = 'Well-behaved dogs may stay with you in every room of the house, and have a bowl. '.repeat(4);
const textOf = (body: string) => htmlText(`<html><title>Hotel</title><body>${body}</body></html>`, null).text;

test('a page that stands in a form as a whole is read, and what is only a form is not', () => {
  const page = `<h1>Dogs</h1><p>${said}</p>`;
  expect(textOf(`<form id="aspnetForm"><input type="hidden" value="x"><div>${page}</div></form>`)).toContain(
    said.trim(),
  );
  const contact = '<form><label>Your name <input></label><button>Send it</button></form>';
  expect(textOf(`<main>${page}${contact}</main>`)).not.toMatch(/Your name|Send it/);
  expect(textOf(contact)).toBe('');
});

test('a page that stands in a form as a whole is read, however much may be chosen in it', () => {
  const countries = '<option>Papua New Guinea</option>'.repeat(50);
  const page = `<h1>Dogs</h1><p>${said}</p><label>Your country <select>${countries}</select></label>`;
  expect(textOf(`<form id="aspnetForm"><div>${page}</div></form>`)).toContain(said.trim());
});

test.each(['hidden', 'hidden="until-found"', 'aria-hidden="true"', ''])(
  'answers that are opened below their questions are read with them: <div %s>',
  (hidden) => {
    const entry = (id: string, question: string, tag: string) =>
      `<${tag}><button aria-expanded="false" aria-controls="${id}">${question}</button></${tag}>
       <div id="${id}" ${hidden}><p>${said}</p></div>`;
    const text = textOf(`<main><h1>Questions</h1>
      ${entry('a', 'Are dogs allowed?', 'h3')}${entry('b', 'Is there a bowl?', 'h3')}${entry('c', 'Who feeds them?', 'div')}
      <div id="d" ${hidden || 'hidden'}><p>${'Nobody ever opens this. '.repeat(9)}</p></div></main>`);
    expect(text).toMatch(
      /Are dogs allowed\?\s+Well-behaved[^]+Is there a bowl\?\s+Well-behaved[^]+Who feeds them\?\s+Well-behaved/,
    );
    expect(text).not.toContain('Nobody ever opens');
  },
);

test('a language is what a page names as one, and nothing else that stands there', () => {
  const languageOf = (lang: string) =>
    htmlText(`<html lang="${lang}"><body><p>${said}</p></body></html>`, null).language;
  expect(['de', ' pt-BR ', 'de_DE', 'x'.repeat(100_000), '{{ lang }}', ''].map(languageOf)).toEqual([
    'de',
    'pt-BR',
    'de-DE',
    null,
    null,
    null,
  ]);
});
