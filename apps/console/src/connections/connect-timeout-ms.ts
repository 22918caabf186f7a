/** A server may take its time to agree on a version and to list its tools. */
export const connectTimeoutMs = 60_000;
