/** A function of the page that the agent may call. */
export type ClientTool = {
  name: string;
  description: string;
  /** A JSON Schema whose instances are objects. */
  parameters: { type: 'object' } & Record<string, unknown>;
  run(input: Record<string, unknown>): unknown;
};
