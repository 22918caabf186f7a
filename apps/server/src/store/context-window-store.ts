/** How many tokens a model turned out to take. */
export interface ContextWindow {
  readonly agentId: string;
  readonly modelId: string;
  readonly tokens: number;
  /** After this it is to be found out afresh. */
  readonly ttlMs: number;
}

export interface ContextWindowStore {
  /** The window learned of the agent's model; null when none was, it was another model's, or it has expired. */
  getContextWindow(query: { agentId: string; modelId: string }): Promise<number | null>;

  /** Keeps it in place of what was known of the agent's model before; it goes with the agent, and without one nothing is kept. */
  saveContextWindow(window: ContextWindow): Promise<void>;
}
