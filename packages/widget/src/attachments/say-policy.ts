import { plainName } from '@parley/protocol/plain-name';
import type { LabelName, Words } from '../i18n/labels.ts';
import { formatSize } from './format-size.ts';

const kinds: Record<string, LabelName> = {
  'image/*': 'images',
  'text/*': 'textFiles',
  'audio/*': 'audio',
  'video/*': 'videos',
};
const office: Record<string, string> = {
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.ms-excel': 'XLS',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.ms-powerpoint': 'PPT',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PPTX',
};

const list = (items: readonly string[], locale: string) => new Intl.ListFormat(locale).format(items);

export function sayKinds(types: readonly string[], { label, locale }: Words): string {
  if (types.length === 0) return label('noFiles');
  const said = types.map((type) => {
    const kind = kinds[type];
    if (kind) return label(kind);
    return office[type] ?? type.replace(/^.*\/(x-)?|\+.*$/g, '').toUpperCase();
  });
  return label('kindsAllowed', { kinds: list([...new Set(said)], locale) });
}

export const saySize = (bytes: number, { label, locale }: Words): string =>
  label('sizeAllowed', { size: formatSize(bytes, locale) });

/** A few names, each kept from turning the text around it. */
export function sayNames(sentence: LabelName, names: readonly string[], { label, locale }: Words): string {
  const few = names.slice(0, 3).map((name) => `\u2068${plainName(name)}\u2069`);
  return label(sentence, { names: list(names.length > 3 ? [...few, '…'] : few, locale) });
}
