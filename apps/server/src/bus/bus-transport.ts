/** One connection to what carries the payloads between processes. */
export interface BusConnection {
  /** Resolves with the reason once the connection is over. */
  readonly lost: Promise<unknown>;
  /** Resolves when the payloads are on their way to every process; rejects when that is not known. */
  send(payloads: readonly string[]): Promise<void>;
  close(): void;
}

export interface BusTransport {
  readonly maxPayloadBytes: number;
  /**
   * Resolves when every payload that anybody sends from now on is handed to `onPayload`, in the order of its sender,
   * the connection's own included. Rejects within some seconds when there is no connection.
   */
  connect(onPayload: (payload: string) => void): Promise<BusConnection>;
}
