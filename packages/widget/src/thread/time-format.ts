const formats = new Map<string, Intl.DateTimeFormat>();

/** Hours and minutes as they are written in a language. To make a format takes longer than to draw a message. */
export function timeFormat(locale: string): Intl.DateTimeFormat {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  formats.set(locale, format);
  return format;
}
