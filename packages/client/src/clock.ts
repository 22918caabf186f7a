/** Time as clients and conversations ask for it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Calls back again and again, until what it returns is called. */
  every(milliseconds: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds);
    return () => clearInterval(timer);
  },
};
