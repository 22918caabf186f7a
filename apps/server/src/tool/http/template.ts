import type { HttpToolRequest } from '@parley/protocol/settings/http-tool';

export type Json = Exclude<HttpToolRequest['body'], undefined>;

const PLACEHOLDER = /\{\{\s*([^{}\s]+)\s*\}\}/g;

export type Arguments = Readonly<Record<string, unknown>>;

/** An argument that cannot stand where the template wants it. Written for the model. */
export class UnusableArgument extends Error {}

export function placeholders(template: string): string[] {
  return Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name);
}

const visitorNamespace = 'visitor.';
export const visitorId = 'visitor.id';

/** Whether a placeholder's value comes from the session, never from the arguments. */
export function isOfVisitor(name: string): boolean {
  return name.startsWith(visitorNamespace);
}

/** What fills the placeholders: the arguments, and over them what the session says of the visitor. */
export function withVisitor(args: Arguments, visitor: string | null): Arguments {
  const own = Object.entries(args).filter(([name]) => !isOfVisitor(name));
  return { ...Object.fromEntries(own), ...(visitor !== null && { [visitorId]: visitor }) };
}

/** The parameter whose placeholder is the whole template, if it is one. */
function solePlaceholder(template: string): string | undefined {
  return /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(template)?.[1];
}

function argument(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

/** One pass: what an argument contains is never read as a template. */
function fillText(template: string, args: Arguments, encode: (text: string, name: string) => string): string {
  return template.replaceAll(PLACEHOLDER, (_match, name: string) =>
    encode(asText(argument(args, name)), name),
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

/** One path segment. What is filled in stays inside it, also for servers that decode `%2F` before they resolve `..`. */
export function fillSegment(template: string, args: Arguments): string {
  const names = placeholders(template);
  if (names.length === 0) return template;
  for (const name of names) {
    const value = argument(args, name);
    if (!isPlain(value)) throw new UnusableArgument(`${name} must be a string, a number or a boolean`);
    if (asText(value).split(/[/\\]/).some(isDots)) throw new UnusableArgument(`${name} must not be . or ..`);
  }
  const filled = fillText(template, args, (text) => encodeURIComponent(text));
  if (filled === '') throw new UnusableArgument(`${names.join(', ')} must not be empty`);
  if (filled.split(/%2f|%5c/i).some(isDots))
    throw new UnusableArgument(`${names.join(', ')} must not be . or ..`);
  return filled;
}

/** The values of one query parameter: none when its only placeholder has no argument, several for a list. */
export function fillQuery(template: string, args: Arguments): string[] {
  const name = solePlaceholder(template);
  if (name === undefined) return [fillText(template, args, (text) => text)];
  const value = argument(args, name);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(asText) : [asText(value)];
}

/** A header's value, or undefined when its only placeholder has no argument. */
export function fillHeader(template: string, args: Arguments): string | undefined {
  const sole = solePlaceholder(template);
  if (sole !== undefined && (argument(args, sole) ?? undefined) === undefined) return undefined;
  return fillText(template, args, (text, name) => {
    if (/[^\x20-\x7e\xa0-\xff]/.test(text))
      throw new UnusableArgument(
        `${name} must not contain line breaks, control characters or characters outside Latin-1`,
      );
    return text;
  });
}

/** A JSON value. Undefined stands for an entry that is left out because its only placeholder has no argument. */
export function fillJson(template: Json, args: Arguments): unknown {
  if (typeof template === 'string') {
    const name = solePlaceholder(template);
    return name === undefined ? fillText(template, args, (text) => text) : argument(args, name);
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template))
    return template.map((item) => fillJson(item, args)).filter((item) => item !== undefined);
  const entries = Object.entries(template).map(([key, value]) => [key, fillJson(value, args)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
