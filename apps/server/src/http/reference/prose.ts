import { escapeHtml } from '../docs/escape-html.ts';

/** Text whose back-quoted parts are code. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}
