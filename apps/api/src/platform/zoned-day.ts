const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day `YYYY-MM-DD` that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}
