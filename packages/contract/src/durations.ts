/** Durations in milliseconds. Not for calendar days, which clock changes lengthen or shorten. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
