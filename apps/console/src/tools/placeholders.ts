/** What comes from the session, never from a model. */
const visitorId = 'visitor.id';

/** The names in a text's `{{name}}`, each once, without that of the visitor. */
export function placeholdersIn(...texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    Array.from(text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g), ([, name = '']) => name),
  );
  return [...new Set(found)].filter((name) => name !== visitorId);
}

/** Whether a text is nothing but placeholders: then it holds no secret of its own. */
export const isTemplate = (text: string): boolean => text.replaceAll(/\{\{[^{}]*\}\}/g, '').trim() === '';
