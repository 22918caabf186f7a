import { createHash } from 'node:crypto';

/** A function in the database, for work that takes several statements in one round trip. */
export interface SqlFunction {
  /** With a digest of the definition, so that processes of two versions each call their own. */
  readonly name: string;
  readonly definition: string;
}

/** `definition` is a `CREATE FUNCTION` whose name is written `$name`. */
export function sqlFunction(name: string, definition: string): SqlFunction {
  const digest = createHash('sha256').update(definition).digest('hex').slice(0, 10);
  const versioned = `${name}_${digest}`;
  return { name: versioned, definition: definition.replaceAll('$name', versioned) };
}

/** `$1, $2` and so on: the arguments of a call. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
}
