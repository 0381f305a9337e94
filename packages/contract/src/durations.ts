/** Durations in milliseconds. A day is 24 hours; calendar days, which clock changes lengthen or shorten, are not counted with it. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
