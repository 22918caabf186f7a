/** `message` is the text of the 400; `path` names the field. */
export type Parsed<Value> =
  | { ok: true; value: Value }
  | { ok: false; message: string; path: (string | number)[] };

/** Thrown by the checks below `parsed`, never beyond it. */
export class Refusal extends Error {
  readonly path: (string | number)[];
  constructor(message: string, ...path: (string | number)[]) {
    super(message);
    this.path = path;
  }
}

/** Runs checks in their order; the first that refuses decides. */
export function parsed<Value>(parse: () => Value): Parsed<Value> {
  try {
    return { ok: true, value: parse() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message, path: error.path };
    throw error;
  }
}
