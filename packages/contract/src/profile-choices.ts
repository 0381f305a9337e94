/** The choices of sign-up and profile, apart from the schemas so that the web app can list them without loading those. */

/** What brings a person here; chosen at complete-signup, changeable at any time. Every account keeps both hats. */
export const intents = ['work', 'hire', 'both'] as const;
export type Intent = (typeof intents)[number];

/** How well somebody speaks a language, by their own word. */
export const languageLevels = ['basic', 'good', 'fluent', 'native'] as const;
export type LanguageLevel = (typeof languageLevels)[number];

/** ISO 8601: the week begins on Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Six hours each, by the clock of the place: morning is 6 to 12, night 0 to 6. */
export const dayParts = ['morning', 'afternoon', 'evening', 'night'] as const;
export type DayPart = (typeof dayParts)[number];
