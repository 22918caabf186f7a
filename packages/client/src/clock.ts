/** Time as clients and conversations ask for it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back again and again, until what it returns is called. */
  every(milliseconds: number, callback: () => void): () => void;
};

/** A timer that is to wait for longer than 24 days is over at once. */
const longestTimer = 2e9;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestTimer));
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
};
