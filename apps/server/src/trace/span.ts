export type Attributes = Readonly<Record<string, string | number | readonly string[]>>;

/** Something that takes time, as a trace shows it. No text of a visitor or of a model belongs into its attributes. */
export interface Span {
  /** How the W3C Trace Context names it, for what goes on in another process. */
  readonly traceparent: string;
  /** Something that is part of it. `client`: another server does it. */
  start(name: string, kind: SpanKindName, attributes: Attributes): Span;
  set(attributes: Attributes): void;
  /** With the code of what went wrong, if anything did. */
  end(errorType?: string): void;
}

export type SpanKindName = 'server' | 'client' | 'internal';

export interface Tracer {
  start(
    name: string,
    kind: SpanKindName,
    attributes: Attributes,
    origin?: { readonly traceparent?: string | undefined; readonly startedAt?: number },
  ): Span;
  /** Sends what is still to be sent, for 3 s at most. */
  close(): Promise<void>;
}
