/** Bytes of a description of an API that is read. */
export const maxDocumentBytes = 5_000_000;
