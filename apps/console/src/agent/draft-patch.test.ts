import { agentSettingsSchema, type AgentView } from '@parley/protocol/settings/agent';
import { draftPatchSchema } from '@parley/protocol/settings/revision';
import { expect, test } from 'vitest';
import { formEntry } from '../words/form-entries.ts';
import { languagesEntry } from '../words/language-entries.ts';
import { entriesOf } from './agent-entries.ts';
import { conductField, conductOf, conductProblems } from './conduct-entries.ts';
import { draftPatchOf } from './draft-patch.ts';

const settings = agentSettingsSchema.parse({
  id: 'agent_1',
  tenantId: 'tenant_1',
  name: 'Fern',
  createdAt: '2026-08-01T00:00:00.000Z',
  model: { provider: 'openai', model: 'm' },
  limits: { storedBytesPerSession: 1_000_000, tokensPerDay: 7_000 },
  widget: { consent: { text: 'Agree?', link: 'https://a.example/' } },
});
const agent: AgentView = {
  ...settings,
  revision: 1,
  model: { provider: 'openai', model: 'm', apiKey: { set: true, last4: '1234' } },
  identity: { required: false },
};
const before = { ...entriesOf(agent), ...conductOf(agent) };
const patchAfter = (changes: Partial<typeof before>) =>
  draftPatchSchema.parse(draftPatchOf({ ...before, ...changes }, before, agent.model));

test('the draft is given what was entered, and nothing else', () => {
  expect(conductProblems(before)).toEqual({});
  expect(patchAfter({})).toEqual({});
  expect(patchAfter({ greeting: 'Hello', instructions: 'Be brief.' })).toEqual({
    instructions: 'Be brief.',
    widget: { greeting: 'Hello' },
  });
  expect(patchAfter({ apiKey: 'sk' })).toEqual({ model: { provider: 'openai', model: 'm', apiKey: 'sk' } });
});

test('numbers, megabytes and switches are what the settings take, and what is emptied is the default', () => {
  const changes = {
    fallback: 'quoting',
    temperature: '0,5',
    maxOutputTokens: ' 300 ',
    tokensPerDay: '',
    storedBytesPerKeyPerDay: '1.5',
    fileTypes: 'image/*\naudio/*, image/*',
    fileMegabytes: '2',
    retentionDays: '',
    teaser: 'Hello!',
    consentText: '',
    effort: 'low',
    embedding: ' text-embedding-3-small ',
  };
  expect(conductProblems({ ...before, ...changes, consentLink: '' })).toEqual({});
  expect(patchAfter(changes)).toEqual({
    fallback: 'quoting',
    temperature: 0.5,
    maxOutputTokens: 300,
    limits: { tokensPerDay: null, storedBytesPerKeyPerDay: 1.5 * 1024 * 1024 },
    files: { types: ['image/*', 'audio/*'], totalBytes: 2 * 1024 * 1024 },
    retentionDays: null,
    widget: { teaser: 'Hello!', consent: null },
    reasoning: { effort: 'low' },
    embedding: { model: 'text-embedding-3-small' },
  });
  const embedded = conductOf({ ...agent, embedding: { model: 'text-embedding-3-small' } }).embedding;
  expect(embedded).toBe('text-embedding-3-small');
  const saved = { ...before, embedding: embedded };
  expect(draftPatchOf({ ...saved, embedding: ' ' }, saved, agent.model)).toEqual({ embedding: null });
});

test('what is wrong is a sentence at its field, whoever finds it', () => {
  const wrong = {
    ...before,
    retentionDays: '0',
    tokensPerDay: '1.5',
    temperature: '3',
    fileMegabytes: 'many',
    fileTypes: 'pictures',
    consentText: ' ',
    privacyUrl: 'javascript:alert(1)',
  };
  expect(Object.keys(conductProblems(wrong)).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'consentText',
    'fileMegabytes',
    'fileTypes',
    'privacyUrl',
    'retentionDays',
    'temperature',
    'tokensPerDay',
  ]);
  const paths = [
    'widget.consent.link',
    'files.types.0',
    'limits.streamsPerKey',
    'files.totalBytes',
    'embedding.model',
  ];
  const fields = ['consentLink', 'fileTypes', 'streamsPerKey', 'fileMegabytes', 'embedding'];
  expect(paths.map(conductField)).toEqual(fields);
  expect(fields.every((field) => field in before)).toBe(true);
});

test('a form and words in other languages are given whole, and taken away when nothing is left of them', () => {
  const field = { name: 'email', label: 'Email', type: 'email' as const, required: true };
  const form = { title: 'Before we begin', fields: [field] };
  const languages = { de: { greeting: 'Hallo!', form } };
  const patch = { visitorForm: formEntry(form), languages: languagesEntry(languages) };
  expect(conductProblems({ ...before, ...patch })).toEqual({});
  expect(patchAfter(patch)).toEqual({ widget: { form, languages } });
  const filled = { ...before, ...patch };
  expect(
    draftPatchOf({ ...filled, visitorForm: formEntry(null), languages: '' }, filled, agent.model),
  ).toEqual({
    widget: { form: null, languages: null },
  });
  expect(['widget.form.fields.0.label', 'widget.languages.de.greeting'].map(conductField)).toEqual([
    'visitorForm',
    'languages',
  ]);
  const unnamed = formEntry({ fields: [{ ...field, label: '' }] });
  expect(Object.keys(conductProblems({ ...before, visitorForm: unnamed }))).toEqual(['visitorForm']);
  const agreed = languagesEntry({ de: { consent: { text: '', link: 'https://a.example/' } } });
  expect(Object.keys(conductProblems({ ...before, languages: agreed }))).toEqual(['languages']);
});
