/** What was found in a document. */
export interface Extracted {
  readonly title: string;
  /** As the document says it, or null. */
  readonly language: string | null;
  /** Markdown. */
  readonly text: string;
  /** Absolute addresses of http and https that the document links to, without fragments. */
  readonly links: readonly string[];
}

/** What is handed to the worker that extracts. */
export interface ExtractRequest {
  readonly id: number;
  readonly mediaType: string;
  readonly content: string | Uint8Array;
  /** Where it was read, or null. */
  readonly address: string | null;
}

export type ExtractReply = { readonly id: number } & (
  | { readonly extracted: Extracted }
  /** Safe to show. */
  | { readonly problem: string }
);
