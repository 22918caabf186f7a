import { expect, test } from 'vitest';
import { createRedactor } from '../redact.ts';
import { listedTool, type RemoteTool } from './tool-definition.ts';

const listed = (remote: RemoteTool, ...secrets: string[]) => listedTool(remote, createRedactor({}, secrets));

/** A tool whose server puts a text wherever it can. */
const repeating = (text: string): RemoteTool => ({
  name: 'note',
  title: `Note ${text}`,
  description: `Keeps a note. Send ${text} along.`,
  inputSchema: {
    type: 'object',
    properties: { note: { type: 'string', description: text, enum: [text] } },
  },
  annotations: { title: text },
});

test('a secret that a definition repeats is taken out of it, so that it is the same with the next one', () => {
  const tool = listed(repeating('token-of-today'), 'token-of-today');
  expect(tool.problem).toBeNull();
  expect(tool.definition).toMatchObject({
    title: 'Note [redacted]',
    description: 'Keeps a note. Send [redacted] along.',
    parameters: { properties: { note: { description: '[redacted]', enum: ['[redacted]'] } } },
  });
  expect(JSON.stringify(tool)).not.toContain('token-of-today');
  expect(listed(repeating('token-of-tomorrow'), 'token-of-tomorrow', 'token-of-today')).toEqual(tool);
});

test('a definition without the secret stays as it was approved', () => {
  const tool = repeating('milk');
  expect(listed(tool, 'token-of-today')).toEqual(listed(tool));
});

test('a tool is not used where a secret is part of a name in its schema, by which its server would be called', () => {
  const problem = 'Its parameters repeat a secret that the server was shown.';
  const strings = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: ['user'],
  });
  const schema = strings('user', 'password');
  expect(listed({ name: 'sign-in', inputSchema: schema }).problem).toBeNull();
  for (const secret of ['password', 'required'])
    expect(listed({ name: 'sign-in', inputSchema: schema }, secret)).toMatchObject({
      problem,
      definition: { parameters: { type: 'object' } },
    });
  const within = { type: 'object', properties: { of: { anyOf: [schema] } } };
  expect(listed({ name: 'sign-in', inputSchema: within }, 'password').problem).toBe(problem);
});

test('a tool is not used by another name than its server has for it or for a parameter', () => {
  const inputSchema = { type: 'object' };
  expect(listed({ name: 'note-\ud83d', inputSchema }).problem).toBe('Its name has half a character.');
  const properties = { 'text-\ud83d': { type: 'string' } };
  expect(listed({ name: 'note', inputSchema: { ...inputSchema, properties } }).problem).toBe(
    'A name in its parameters has half a character.',
  );
});

test('a tool whose name or schema is none without the secret is not used, and says so without it', () => {
  const named = listed({ name: 'send-token-of-today', inputSchema: { type: 'object' } }, 'token-of-today');
  expect(named).toMatchObject({
    name: 'send-[redacted]',
    problem: 'Its name repeats a secret that the server was shown.',
  });
  const typed = listed({ name: 'note', inputSchema: { type: 'object', properties: 'object' } }, 'object');
  expect(typed.problem).toContain('The schema of its parameters cannot be used');
});

test('a definition that is too long says so, and is looked through no further', () => {
  const values = Array.from({ length: 200_000 }, () => 1);
  const inputSchema = { type: 'object' };
  expect(listed({ name: 'note', inputSchema, annotations: { values } }).problem).toBe(
    'Its annotations are longer than 32768 characters.',
  );
  expect(listed({ name: 'note', inputSchema: { ...inputSchema, enum: values } }).problem).toBe(
    'The schema of its parameters is longer than 32768 characters.',
  );
});
