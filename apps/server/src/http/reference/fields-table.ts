import { escapeHtml } from '../docs/escape-html.ts';
import type { Field } from './fields-of.ts';
import { prose } from './prose.ts';

/** One line for each field: what it is called, what it is, and what it means. */
export function fieldsTable(fields: readonly Field[], link: (name: string) => string): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ path, type, references, required, description, bounds }) => {
    const linked = references.reduce(
      (text, name) => text.replace(new RegExp(`\\b${name}\\b`), `<a href="${link(name)}">${name}</a>`),
      escapeHtml(type),
    );
    const known = [linked, ...(bounds === '' ? [] : [escapeHtml(bounds)]), ...(required ? ['required'] : [])];
    return `<tr><th scope="row"><code>${escapeHtml(path)}</code></th><td>${prose(description)} <small>${known.join('; ')}</small></td></tr>`;
  });
  return `<div class="wide" tabindex="0"><table class="fields">${rows.join('')}</table></div>`;
}
