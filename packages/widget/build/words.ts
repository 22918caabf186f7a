import type { Plugin } from 'vite';
import { cardLabels } from '../src/i18n/card-labels.ts';
import { type Labels, labels } from '../src/i18n/labels.ts';

const suffix = '?words';

/** A language as its words alone, a line each in the order of the English ones: the names would be a third of it. */
export const words: Plugin = {
  name: 'words',
  async load(id) {
    if (!id.endsWith(suffix)) return;
    const language = (await import(id.slice(0, -suffix.length))) as { default: Labels };
    const lines = Object.keys({ ...labels, ...cardLabels }).map(
      (name) => language.default[name as keyof Labels],
    );
    return `export default ${JSON.stringify(lines.join('\n'))}`;
  },
};
