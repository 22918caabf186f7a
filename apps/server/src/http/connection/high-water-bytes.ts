/** What waits in a response before its reader is left to catch up from the log. */
export const highWaterBytes = 256 * 1024;
