import {
  maxBodyBytes,
  maxChatBytes,
  maxChatValues,
  maxInlineFileBytes,
  maxJsonDepth,
  maxJsonValues,
  maxMessageParts,
  maxMessagesBytes,
} from '@parley/protocol/bounds';
import { InlineFile } from '@parley/protocol/inline-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BodyBounds, chatBounds, sessionBounds, settingsBounds } from '@parley/protocol/body-bounds';
import { BodyScanner } from './body-scanner.ts';
import { ProblemError } from '../problem.ts';

const invalid = '400 Invalid JSON body.';
const tooMuch = (bytes: number) =>
  `413 A JSON body has at most ${bytes} bytes, the content of its files not counted.`;
const tooMuchJson = tooMuch(maxBodyBytes);
const tooMuchContent = `413 The files in a JSON body have at most ${maxInlineFileBytes} bytes together, as they are sent.`;
const tooManyMessages = `413 'messages' has at most ${maxMessagesBytes} bytes.`;
const tooDeep = `400 The body is nested deeper than ${maxJsonDepth} levels.`;
const tooManyValues = `400 A JSON body has at most ${maxJsonValues} values.`;
const tooManyFiles = `400 A message has at most ${maxMessageParts} parts.`;

/** What a scanner makes of a body in these pieces: the value, or the refusal. */
function scanned(pieces: Iterable<Uint8Array>, bounds: BodyBounds = sessionBounds): unknown {
  const scanner = new BodyScanner(bounds);
  try {
    for (const piece of pieces) scanner.push(piece);
    return scanner.end();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return `${error.code === 'TOO_LARGE' ? 413 : 400} ${error.message}`;
  }
}

function whole(text: string | Uint8Array, bounds?: BodyBounds): unknown {
  return scanned([Buffer.from(text)], bounds);
}

function cut(bytes: Uint8Array, ends: readonly number[]): Uint8Array[] {
  const sorted = [0, ...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

/** Every cut into two pieces, and into single bytes. */
function allCuts(text: string): Uint8Array[][] {
  const bytes = Buffer.from(text);
  const pairs = Array.from(bytes, (_, index) => cut(bytes, [index]));
  return [...pairs, Array.from(bytes, (byte) => Uint8Array.of(byte))];
}

const isValid = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('what JSON.parse accepts is accepted, and nothing else, however the body is cut', () => {
  const nearly = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '}', ']', '{', '0', '-', '.', 'e', ' ', '\u0001'),
    )
    .map(([text, at, extra]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + extra + text.slice(index + (extra === '' ? 1 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), nearly), fc.array(fc.nat(), { maxLength: 8 }), (text, ends) => {
      const expected = isValid(text) ? (JSON.parse(text) as unknown) : invalid;
      for (const bounds of [settingsBounds, sessionBounds])
        expect(scanned(cut(Buffer.from(text), ends), bounds)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '-0.5e+10',
  '1E5',
  '0',
  '-',
  '01',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '--1',
  'tru',
  'nul',
  'truex',
  'True',
  '"\\x"',
  '"\\u12G4"',
  '"\\u12',
  '"a\tb"',
  '"',
  '{',
  '[',
  '[1,]',
  '{"a":1,}',
  '{"a"}',
  '{a:1}',
  '[1 2]',
  '{}{}',
  '1 2',
  ']',
  '[}',
  '{]',
  '{"a":}',
  '\u00a01',
  "'a'",
  '[,1]',
  '"\\\\"',
  '"\\""',
  ' \n\r\t1 ',
  '\ufeff{"a":1}',
  '1\ufeff',
  '',
])('a document is judged as JSON.parse judges it: %s', (text) => {
  const valid = isValid(text.replace(/^\ufeff/, ''));
  for (const pieces of [[Buffer.from(text)], ...allCuts(text)])
    expect(scanned(pieces)).toEqual(valid ? (JSON.parse(text.replace(/^\ufeff/, '')) as unknown) : invalid);
});

test('broken UTF-8 is refused, cut within a character or not', () => {
  const parts = [Buffer.from('{"a":"'), Buffer.from([0xe9, 0x9b]), Buffer.from('"}')];
  expect(scanned(parts)).toBe(invalid);
  expect(scanned([Buffer.from([0xc0, 0xaf])])).toBe(invalid);
  const rain = Buffer.from('{"a":"雨"}');
  for (let end = 0; end <= rain.length; end += 1) expect(scanned(cut(rain, [end]))).toEqual({ a: '雨' });
  const dropped = Buffer.from('{"messages":["\xff",1]}', 'latin1');
  expect(whole(dropped, chatBounds)).toBe(invalid);
});

test('the bytes that a strict decoder takes are accepted, and no others, however the body is cut', () => {
  const valid = ['a', 'é', '€', '😀', '\ufeff', '\ud7ff', '\ue000', '\u{10ffff}'].map((text) =>
    Buffer.from(text),
  );
  const broken = ['80', 'c080', 'c3', 'e08080', 'eda080', 'e282', 'f09f98', 'f4908080', 'f888808080', 'ff'];
  const piece = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: fc.constantFrom(...broken.map((hex) => Buffer.from(hex, 'hex'))) },
  );
  const frames = [
    ['{"a":"', '"}'],
    ['', '[1]'],
    ['[1]', ''],
    ['{"message":[{"type":"file","url":"data:text/plain;base64,AAAA', '"}]}'],
    ['{"messages":["', '",{"b":1}]}'],
  ] as const;
  const decoder = () => new TextDecoder('utf-8', { fatal: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...frames),
      fc.array(piece, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      ([before, after], pieces, ends) => {
        const bytes = Buffer.concat([Buffer.from(before), ...pieces, Buffer.from(after)]);
        let isAccepted = true;
        try {
          JSON.parse(decoder().decode(bytes));
        } catch {
          isAccepted = false;
        }
        expect(scanned(cut(bytes, ends), chatBounds) !== invalid).toBe(isAccepted);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a key __proto__ is a key like any other', () => {
  const body = whole('{"__proto__":{"message":[{"data":"aGk="}]},"constructor":1}');
  expect(Object.keys(body as object)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});

const file = (text: string, bytes: string | null) =>
  new InlineFile(text.slice(0, 100), bytes === null ? null : new Uint8Array(Buffer.from(bytes)));
const part = (data: unknown) => ({ message: [{ type: 'file', data }] });

test('the content of a file part is decoded, however it is escaped and cut', () => {
  for (const [text, head, bytes] of [
    ['"aGVsbG8="', 'aGVsbG8=', 'hello'],
    ['"\\u0061GVs\\u0062\\u00478="', 'aGVsbG8=', 'hello'],
    ['"data:text/plain;base64,aGV\\nsbG8"', 'data:text/plain;base64,aGV\nsbG8', 'hello'],
    ['"DATA:,h%C3%A9\\u0026%\\u0037%31"', 'DATA:,h%C3%A9&%7%31', 'hé&%71'],
    ['"data:,\\ud83d\\ude42\\ud83d"', null, '\u{1F642}\ufffd'],
    ['"data:,\\ud83dx雨"', null, '\ufffdx雨'],
    ['"Pz8\\/Pw=="', 'Pz8/Pw==', '????'],
    ['"http"', 'http', '\u0086\u00db\u0069'],
    ['""', '', null],
    ['"a"', 'a', null],
    ['"not base64!"', 'not base64!', null],
    ['"data:text/plain"', 'data:text/plain', null],
    ['"eve-url:x"', 'eve-url:x', null],
  ] as const) {
    const json = `{"message":[{"type":"file","data":${text}}]}`;
    for (const pieces of [[Buffer.from(json)], ...allCuts(json)]) {
      const { message } = scanned(pieces) as { message: [{ data: InlineFile }] };
      const { data } = message[0];
      expect(data, text).toBeInstanceOf(InlineFile);
      if (head !== null) expect(data.head).toBe(head);
      const encoding = text === '"http"' ? 'latin1' : 'utf8';
      expect(data.bytes && Buffer.from(data.bytes).toString(encoding)).toBe(bytes);
    }
  }
});

test('any bytes come back from base64 and from a data URL, however they are written and cut', () => {
  const spaced = fc.constantFrom('', '\n', '\r\n', '\t ', ' ');
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      fc.constantFrom('base64', 'unpadded', 'data-url', 'percent', 'percent-base64'),
      fc.array(spaced, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.boolean(),
      (bytes, form, spaces, ends, isEscaped) => {
        const encoded = Array.from(Buffer.from(bytes).toString('base64')).map(
          (digit, at) => digit + spaces[at % spaces.length],
        );
        const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const text = {
          base64: encoded.join(''),
          unpadded: encoded.join('').replaceAll('=', ''),
          'data-url': `data:a/b;base64,${encoded.join('')}`,
          percent: `data:a/b,${percent}`,
          'percent-base64': `data:;base64,${encoded.join('').replaceAll('=', '%3D').replaceAll('+', '%2b')}`,
        }[form];
        const json = isEscaped
          ? `"${Array.from(text, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
          : JSON.stringify(text);
        const pieces = cut(Buffer.from(`{"message":[{"data":${json}}]}`), ends);
        const { message } = scanned(pieces) as { message: [{ data: InlineFile }] };
        expect(message[0].data.bytes && [...message[0].data.bytes]).toEqual([...bytes]);
      },
    ),
    { numRuns: 500 },
  );
});

test('a file part is found where the parsers look for it, and nowhere else', () => {
  const content = file('aGk=', 'hi');
  const dataUrl = file('data:,hi', 'hi');
  const places: [string, unknown, BodyBounds?][] = [
    ['{"message":[{"data":"aGk="}]}', { message: [{ data: content }] }],
    ['{"m\\u0065ssage":[{"d\\u0061ta":"aGk="}]}', { message: [{ data: content }] }],
    ['{"message":{"parts":[{"url":"data:,hi"}]}}', { message: { parts: [{ url: dataUrl }] } }],
    [
      '{"messages":[{"parts":[{"url":"data:,hi"}]}]}',
      { messages: [{ parts: [{ url: dataUrl }] }] },
      chatBounds,
    ],
    ['{"message":[{"url":"aGk="}]}', { message: [{ url: 'aGk=' }] }],
    ['{"message":{"data":"aGk="}}', { message: { data: 'aGk=' } }],
    ['{"message":{"parts":[{"data":"aGk="}]}}', { message: { parts: [{ data: 'aGk=' }] } }],
    ['{"message":[{"x":{"data":"aGk="}}]}', { message: [{ x: { data: 'aGk=' } }] }],
    ['{"message":[{"data":{"data":"aGk="}}]}', { message: [{ data: { data: 'aGk=' } }] }],
    ['{"message":[{"data":["aGk="]}]}', { message: [{ data: ['aGk='] }] }],
    ['{"message":[["data","aGk="]]}', { message: [['data', 'aGk=']] }],
    ['{"x":{"message":[{"data":"aGk="}]}}', { x: { message: [{ data: 'aGk=' }] } }],
    ['[{"message":[{"data":"aGk="}]}]', [{ message: [{ data: 'aGk=' }] }]],
    ['{"message":[{"data\\u0000":"aGk="}]}', { message: [{ 'data\0': 'aGk=' }] }],
    [
      '{"message":[{"data":"HTTPS:\\/\\/a.example"}]}',
      part('HTTPS://a.example').message[0] && { message: [{ data: 'HTTPS://a.example' }] },
    ],
    ['{"message":[{"data":"aGk="}]}', { message: [{ data: 'aGk=' }] }, settingsBounds],
    // The last of several counts, as with JSON.parse.
    ['{"message":[{"data":"aGk=","data":5}]}', { message: [{ data: 5 }] }],
    ['{"message":[{"data":"eHg=","data":"aGk="}]}', { message: [{ data: content }] }],
    ['{"message":[{"data":"eHg="}],"message":[1,{"data":"aGk="}]}', { message: [1, { data: content }] }],
    ['{"message":[{"data":"eHg="}],"message":"x"}', { message: 'x' }],
  ];
  for (const [json, expected, bounds] of places) {
    for (const pieces of [[Buffer.from(json)], ...allCuts(json)])
      expect(scanned(pieces, bounds), json).toEqual(expected);
  }
});

test('of messages only the last entry is kept', () => {
  const json =
    '{"id":"c","messages":[{"a":[1,2]},"x",[{"parts":[{"url":"data:,hi"}]}], {"parts":[]} ],"b":1}';
  for (const pieces of [[Buffer.from(json)], ...allCuts(json)])
    expect(scanned(pieces, chatBounds)).toEqual({ id: 'c', messages: [0, 0, 0, { parts: [] }], b: 1 });
  expect(whole('{"messages":[1,2,]}', chatBounds)).toBe(invalid);
  expect(whole('{"messages":[tru,2]}', chatBounds)).toBe(invalid);
  expect(whole('{"messages":[]}', chatBounds)).toEqual({ messages: [] });
  expect(whole('{"messages":[1,2]}', sessionBounds)).toEqual({ messages: [1, 2] });
  expect(whole('{"messages":[1,[2,3]],"messages":{"a":[4,5]}}', chatBounds)).toEqual({
    messages: { a: [4, 5] },
  });
});

/** A document of exactly this many bytes of JSON beside the content of its file. */
function documentOf(jsonBytes: number, contentBytes: number): string {
  const [head, middle, tail] = ['{"message":[{"data":"', '"}],"x":"', '"}'];
  const padding = jsonBytes - head.length - middle.length - tail.length;
  return head + 'A'.repeat(contentBytes) + middle + 'x'.repeat(padding) + tail;
}

test('a body is 256 KiB of JSON and 16 MiB of file content, and not a byte more of either', () => {
  const accepted = whole(documentOf(maxBodyBytes, maxInlineFileBytes)) as { message: [{ data: InlineFile }] };
  expect(accepted.message[0].data.bytes?.length).toBe((maxInlineFileBytes / 4) * 3);
  const pieces = (text: string) =>
    cut(
      Buffer.from(text),
      Array.from({ length: 40 }, (_, at) => at * 65_536),
    );
  expect(scanned(pieces(documentOf(maxBodyBytes, 2_000_000)))).toBeTypeOf('object');
  expect(scanned(pieces(documentOf(maxBodyBytes + 1, 2_000_000)))).toBe(tooMuchJson);
  expect(whole(documentOf(maxBodyBytes + 1, 4))).toBe(tooMuchJson);
  expect(whole(documentOf(1_000, maxInlineFileBytes + 4))).toBe(tooMuchContent);
  // What is no file of a message is JSON, however it is named.
  for (const text of [
    `{"data":"${'A'.repeat(maxBodyBytes)}"}`,
    `{"message":[{"x":{"data":"${'A'.repeat(maxBodyBytes)}"}}]}`,
    `{"message":[{"data":"https:${'A'.repeat(maxBodyBytes)}"}]}`,
    `{"message":[{"data":{"${'A'.repeat(maxBodyBytes)}":1}}]}`,
    `{"${'A'.repeat(maxBodyBytes)}":1}`,
    ' '.repeat(maxBodyBytes + 1),
    `[${'1'.repeat(maxBodyBytes)}]`,
  ])
    expect(whole(text)).toBe(tooMuchJson);
});

test('a body is refused at the piece that goes over a bound, long before its end', () => {
  const scanner = new BodyScanner(sessionBounds);
  let pushed = 0;
  expect(() => {
    scanner.push(Buffer.from('{"x":"'));
    for (; pushed < 100; pushed += 1) scanner.push(Buffer.alloc(64 * 1_024, 'x'));
  }).toThrow(String(maxBodyBytes));
  expect(pushed).toBeLessThan(5);
});

test('a list of messages may have 2 MiB, and its last entry counts with the rest', () => {
  const list = (earlier: number, last: number, rest: number) => {
    const entry = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    return `{"x":${entry(rest - '{"x":,"messages":[]}'.length)},"messages":[${entry(earlier - 1)},${entry(last)}]}`;
  };
  const half = maxChatBytes / 2;
  expect(whole(list(maxMessagesBytes - half, half, half), chatBounds)).toMatchObject({ messages: [0, /x/] });
  expect(whole(list(maxMessagesBytes - half + 1, half, half), chatBounds)).toBe(tooManyMessages);
  expect(whole(list(1_000, half + 1, half), chatBounds)).toBe(tooMuch(maxChatBytes));
  expect(whole(list(1_000, half, half + 1), chatBounds)).toBe(tooMuch(maxChatBytes));
  expect(whole(list(maxBodyBytes, half, half), sessionBounds)).toBe(tooMuchJson);
});

test('depth, values and files have a maximum each', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(whole(nested(maxJsonDepth))).toEqual(JSON.parse(nested(maxJsonDepth)));
  expect(whole(nested(maxJsonDepth + 1))).toBe(tooDeep);
  expect(whole('['.repeat(1_000_000))).toBe(tooDeep);
  expect(whole(`{"x":"${'['.repeat(1_000)}"}`)).toEqual({ x: '['.repeat(1_000) });
  const values = (count: number) => JSON.stringify(Array.from({ length: count - 1 }, () => 0));
  expect(whole(values(maxJsonValues))).toHaveLength(maxJsonValues - 1);
  expect(whole(values(maxJsonValues + 1))).toBe(tooManyValues);
  // What is dropped costs nothing.
  const list = (last: string) => `{"messages":[${values(maxChatValues + 1)},${last}]}`;
  expect(whole(list('1'), chatBounds)).toEqual({ messages: [0, 1] });
  expect(whole(list(values(maxChatValues)), chatBounds)).toBe(
    `400 A JSON body has at most ${maxChatValues} values.`,
  );
  const files = (count: number) =>
    JSON.stringify({ message: Array.from({ length: count }, () => ({ data: 'aGk=' })) });
  expect(whole(files(maxMessageParts))).toHaveProperty('message.length', maxMessageParts);
  expect(whole(files(maxMessageParts + 1))).toBe(tooManyFiles);
  const parts = (count: number) =>
    `{"parts":[${Array.from({ length: count }, () => '{"url":"data:,x"}').join()}]}`;
  expect(whole(`{"messages":[${parts(100)},${parts(32)}]}`, chatBounds)).toMatchObject({
    messages: [0, { parts: Array.from({ length: 32 }, () => ({ url: file('data:,x', 'x') })) }],
  });
  expect(whole(`{"messages":[1,${parts(33)}]}`, chatBounds)).toBe(tooManyFiles);
});

test('the verdict does not depend on how a body is cut', () => {
  const near = (bound: number) => fc.integer({ min: bound - 3, max: bound + 3 });
  fc.assert(
    fc.property(
      near(maxBodyBytes),
      near(200),
      fc.array(fc.nat(), { maxLength: 6 }),
      (json, content, ends) => {
        const text = documentOf(json, content);
        const verdict = (pieces: Uint8Array[]) => {
          const made = scanned(pieces);
          return typeof made === 'string' ? made : 'accepted';
        };
        const expected = json > maxBodyBytes ? tooMuchJson : 'accepted';
        expect(verdict(cut(Buffer.from(text), ends))).toBe(expected);
      },
    ),
    { numRuns: 50 },
  );
});

/** The bytes of JSON, depth and values of a document, found out from the parsed value. */
function measured(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(measured);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

test('counts agree with what the parsed value has', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 90, depthSize: 'max' },
      fc.constantFrom(0, 'a[b', null),
      fc.tuple(tie('tree')),
      fc.record({ 'k{': tie('tree') }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.array(fc.nat(), { maxLength: 4 }), (value, ends) => {
      const text = JSON.stringify(value);
      const expected = measured(value).depth > maxJsonDepth ? tooDeep : value;
      expect(scanned(cut(Buffer.from(text), ends))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
