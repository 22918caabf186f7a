import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { CalendarContent } from './calendar-content.ts';
import { debianPython, pythonEnvironment } from './debian-python.ts';

export interface Feed extends CalendarContent {
  readonly contentType: string;
}

/** The calendar at an address, fetched and read by Debian's Python. */
export function readFeed(url: string): Feed {
  const printed = execFileSync(debianPython(), [join(import.meta.dirname, 'read_feed.py'), url], {
    encoding: 'utf8',
    env: pythonEnvironment,
    timeout: 15_000,
  });
  return JSON.parse(printed) as Feed;
}
