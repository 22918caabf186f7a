import type { PageEmbeds } from './page-embeds.ts';
import type { WebsiteFace } from './website-face.ts';

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

export interface ExtractedDocument {
  readonly mediaType: string;
  readonly content: string | Uint8Array;
  /** Where it was read, or null. */
  readonly address: string | null;
}

/** A file as somebody sends it. */
export interface SourceFileContent {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** By what is to be done with something that anybody may have written: what is handed over, and what comes of it. */
export interface ExtractTasks {
  readonly text: { readonly given: ExtractedDocument; readonly found: Extracted };
  readonly file: { readonly given: SourceFileContent; readonly found: Extracted };
  readonly face: {
    readonly given: { readonly html: string; readonly address: string };
    readonly found: WebsiteFace;
  };
  readonly embeds: {
    readonly given: { readonly html: string; readonly address: string };
    readonly found: PageEmbeds;
  };
  readonly accent: {
    readonly given: { readonly declared: readonly string[]; readonly css: string };
    readonly found: string | null;
  };
}

export type ExtractTask = keyof ExtractTasks;

/** What is handed to the worker that extracts. */
export type ExtractRequest = {
  [Task in ExtractTask]: {
    readonly id: number;
    readonly task: Task;
    readonly given: ExtractTasks[Task]['given'];
  };
}[ExtractTask];

export type ExtractReply = { readonly id: number } & (
  | { readonly found: ExtractTasks[ExtractTask]['found'] }
  /** Safe to show. */
  | { readonly problem: string }
);
