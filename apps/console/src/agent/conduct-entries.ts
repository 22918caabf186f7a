import type { AgentView } from '@parley/protocol/settings/agent';
import type { DraftPatch } from '@parley/protocol/settings/revision';
import { addressProblem, isWrongAddress, mailEntry, mailRows, mailsToSave } from '../approvals/mail-entry.ts';
import { formEntry, formOf, formProblems } from '../words/form-entries.ts';
import { hasWordsProblems, languagesEntry, languagesOf } from '../words/language-entries.ts';
import { limitFields, type LimitName, megabyte } from './limit-groups.ts';

/** How an agent conducts itself, as the form shows it: every field is text, and empty means the default. */
type ConductEntries = Readonly<Record<LimitName, string>> & {
  readonly fallback: string;
  readonly embedding: string;
  readonly effort: string;
  readonly showReasoning: string;
  readonly temperature: string;
  readonly maxSteps: string;
  readonly maxOutputTokens: string;
  readonly contextTokens: string;
  readonly approvalsBy: string;
  /** As JSON; empty: none. */
  readonly approvalMail: string;
  readonly readyMail: string;
  readonly contacts: string;
  readonly teamQuestionMinutes: string;
  readonly approvalsOnChat: string;
  readonly outputSchemaForVisitors: string;
  readonly teaser: string;
  readonly consentText: string;
  readonly consentLink: string;
  readonly privacyUrl: string;
  /** As JSON, like the languages; empty: none. */
  readonly visitorForm: string;
  readonly languages: string;
  readonly fileTypes: string;
  readonly fileMegabytes: string;
  readonly tokensPerDay: string;
  readonly retentionDays: string;
};

/** Fields that hold a whole number, and the least of each. */
const wholeNumbers = [
  'maxSteps',
  'maxOutputTokens',
  'contextTokens',
  'teamQuestionMinutes',
  'tokensPerDay',
  'retentionDays',
  ...limitFields.filter(({ unit }) => unit === undefined).map(({ name }) => name),
] as const;
const megabytes = [
  'fileMegabytes',
  ...limitFields.filter(({ unit }) => unit !== undefined).map(({ name }) => name),
] as const;

const text = (value: string | number | undefined): string => (value === undefined ? '' : String(value));
const yes = (value: boolean): string => (value ? 'yes' : '');
const inMegabytes = (bytes: number): string => String(Math.round((bytes / megabyte) * 100) / 100);

export function conductOf(agent: AgentView): ConductEntries {
  const { widget, files, limits, reasoning } = agent;
  const shown = limitFields.map(({ name, unit }) => [
    name,
    unit ? inMegabytes(limits[name]) : text(limits[name]),
  ]);
  return {
    ...(Object.fromEntries(shown) as Record<LimitName, string>),
    fallback: text(agent.fallback),
    embedding: text(agent.embedding?.model),
    effort: text(reasoning.effort),
    showReasoning: yes(reasoning.show),
    temperature: text(agent.temperature),
    maxSteps: text(agent.maxSteps),
    maxOutputTokens: text(agent.maxOutputTokens),
    contextTokens: text(agent.contextTokens),
    approvalsBy: agent.approvalsBy,
    approvalMail: mailEntry(agent.approvalMail),
    readyMail: yes(agent.readyMail === true),
    contacts: agent.contacts,
    teamQuestionMinutes: text(agent.teamQuestionMinutes),
    approvalsOnChat: yes(agent.approvalsOnChat),
    outputSchemaForVisitors: yes(agent.outputSchemaForVisitors),
    teaser: text(widget.teaser),
    consentText: text(widget.consent?.text),
    consentLink: text(widget.consent?.link),
    privacyUrl: text(widget.privacyUrl),
    visitorForm: formEntry(widget.form),
    languages: languagesEntry(widget.languages),
    fileTypes: files.types.join('\n'),
    fileMegabytes: inMegabytes(files.totalBytes),
    tokensPerDay: text(limits.tokensPerDay),
    retentionDays: text(agent.retentionDays),
  };
}

/** What is wrong with the entries, by field. */
export function conductProblems(entries: ConductEntries): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of wholeNumbers)
    if (!/^\d*$/.test(entries[field].trim()) || Number(entries[field] || 1) < 1)
      found[field] = 'Enter a whole number, or nothing for the default.';
  for (const field of megabytes)
    if (entries[field].trim() !== '' && !(numberOf(entries[field]) > 0))
      found[field] = 'Enter how many megabytes, such as 10.';
  const temperature = entries.temperature.trim() === '' ? 1 : numberOf(entries.temperature);
  if (!(temperature >= 0 && temperature <= 2)) found['temperature'] = 'Enter a number from 0 to 2.';
  for (const field of ['consentLink', 'privacyUrl'] as const)
    if (entries[field].trim() !== '' && !/^https?:/.test(urlOf(entries[field])))
      found[field] = 'Enter an address such as https://www.example.com/privacy.';
  if (entries.consentText.trim() === '' && entries.consentLink.trim() !== '')
    found['consentText'] = 'Write what visitors agree to, or remove the link below.';
  if (mailRows(entries.approvalMail).some(isWrongAddress)) found['approvalMail'] = addressProblem;
  const form = formOf(entries.visitorForm);
  if (form && Object.keys(formProblems(form)).length > 0)
    found['visitorForm'] = 'Something in the form is not complete.';
  if (hasWordsProblems(languagesOf(entries.languages)))
    found['languages'] = 'Something in one of the languages is not complete.';
  if (typesOf(entries.fileTypes).some((type) => !/^[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+)$/.test(type)))
    found['fileTypes'] = 'One type a line, such as application/zip or audio/*.';
  return found;
}

/** The fields that the draft is given; null restores the default. */
export function conductPatch(entries: ConductEntries): DraftPatch {
  const number = (value: string) => (value.trim() === '' ? null : numberOf(value));
  const bytes = (value: string) => (value.trim() === '' ? null : Math.round(numberOf(value) * megabyte));
  const limits = limitFields.map(({ name, unit }) => [
    name,
    unit ? bytes(entries[name]) : number(entries[name]),
  ]);
  const consent = entries.consentText.trim();
  const link = entries.consentLink.trim();
  return {
    fallback: (entries.fallback || null) as 'quoting' | null,
    embedding: entries.embedding.trim() === '' ? null : { model: entries.embedding.trim() },
    reasoning: {
      effort: (entries.effort || null) as 'low' | null,
      show: entries.showReasoning !== '',
    },
    temperature: number(entries.temperature),
    maxSteps: number(entries.maxSteps),
    maxOutputTokens: number(entries.maxOutputTokens),
    contextTokens: number(entries.contextTokens),
    approvalsBy: entries.approvalsBy as AgentView['approvalsBy'],
    approvalMail: mailsToSave(entries.approvalMail),
    readyMail: entries.readyMail === '' ? null : true,
    contacts: entries.contacts as AgentView['contacts'],
    teamQuestionMinutes: number(entries.teamQuestionMinutes),
    approvalsOnChat: entries.approvalsOnChat !== '',
    outputSchemaForVisitors: entries.outputSchemaForVisitors !== '',
    widget: {
      teaser: entries.teaser.trim() || null,
      consent: consent === '' ? null : { text: consent, ...(link !== '' && { link }) },
      privacyUrl: entries.privacyUrl.trim() || null,
      form: formOf(entries.visitorForm),
      languages: entries.languages === '' ? null : languagesOf(entries.languages),
    },
    files: { types: typesOf(entries.fileTypes), totalBytes: bytes(entries.fileMegabytes) },
    limits: { ...Object.fromEntries(limits), tokensPerDay: number(entries.tokensPerDay) },
    retentionDays: number(entries.retentionDays),
  };
}

const fieldNames: Readonly<Record<string, string>> = {
  'widget.consent.text': 'consentText',
  'widget.consent.link': 'consentLink',
  'files.types': 'fileTypes',
  'files.totalBytes': 'fileMegabytes',
  'embedding.model': 'embedding',
  'reasoning.effort': 'effort',
  'reasoning.show': 'showReasoning',
};

/** The field of the form that shows an issue of a field of the request; undefined: none of these. */
export function conductField(path: string): string | undefined {
  if (path.startsWith('approvalMail')) return 'approvalMail';
  if (path.startsWith('widget.languages')) return 'languages';
  if (path.startsWith('widget.form')) return 'visitorForm';
  return fieldNames[path.replace(/\.\d+$/, '')] ?? /^limits\.(\w+)$/.exec(path)?.[1];
}

export const typesOf = (entry: string): string[] => [
  ...new Set(
    entry
      .split(/[\n,]/)
      .map((type) => type.trim())
      .filter(Boolean),
  ),
];

/** As people write it in any country: 1.5 and 1,5. */
const numberOf = (entry: string): number => Number(entry.trim().replace(',', '.'));

const urlOf = (entry: string): string => (URL.canParse(entry.trim()) ? new URL(entry.trim()).href : '');
