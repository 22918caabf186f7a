/** Where calendars subscribe to the appointments of one. */
export const calendarPattern = (platform: string) => `/${platform}/v1/calendar/:id` as const;
