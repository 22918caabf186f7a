/** A calendar as `read_calendar.py` prints it. */
export interface CalendarContent {
  readonly method: string;
  readonly name: string | null;
  /** In bytes, without what ends it. */
  readonly longestLine: number;
  readonly foldedLines: number;
  readonly events: readonly CalendarEvent[];
}

interface CalendarEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly status: string;
  readonly summary: string;
  readonly description: string;
  readonly location: string;
  /** In ISO 8601; in UTC unless the calendar says no zone. */
  readonly start: string;
  readonly end: string;
  readonly organizer: Person | null;
  readonly attendees: readonly Person[];
  readonly errors: readonly string[];
}

export interface Person {
  readonly name: string;
  readonly address: string;
}
