/** Lengths of time in milliseconds. A day is 24 hours: days of the calendar, which clock changes make longer or shorter, are not counted with it. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
