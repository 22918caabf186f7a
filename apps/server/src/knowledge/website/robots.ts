import robotsParser from 'robots-parser';

/** What a website asks of those who read it by themselves. */
export interface Robots {
  isDisallowed(url: string, userAgent: string): boolean | undefined;
  getSitemaps(): string[];
}

/** `text` is what its `robots.txt` says; empty: it asks nothing. */
export function parseRobots(url: string, text: string): Robots {
  // Its types describe another module format than the one it has.
  return (robotsParser as unknown as (url: string, text: string) => Robots)(url, text);
}
