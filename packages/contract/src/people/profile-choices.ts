/** Version of the terms and conditions in force (`/toc`); accepting any other is refused. */
export const termsInForce = '2026-11-01';

/** Choices of sign-up and profile, separate from the schemas so that the web app doesn't load zod. */

/** Purposes of an account; chosen at sign-up and changeable at any time. Every account can do both. */
export const intents = ['work', 'hire', 'both'] as const;
export type Intent = (typeof intents)[number];

export const languageLevels = ['basic', 'good', 'fluent', 'native'] as const;
export type LanguageLevel = (typeof languageLevels)[number];

/** ISO 8601: the week begins on Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Six hours each in local time: morning is 6 to 12, night 0 to 6. */
export const dayParts = ['morning', 'afternoon', 'evening', 'night'] as const;
export type DayPart = (typeof dayParts)[number];

export const appearances = ['system', 'light', 'dark'] as const;
/** Units of distances; `place` uses the country of the place (ADR 20). */
export const distanceUnits = ['place', 'km', 'miles'] as const;
export const clockFormats = ['device', '12', '24'] as const;
/** The side that the app opens on; `last` is the side used last on that device. */
export const startSides = ['last', 'work', 'hire'] as const;

/** Visibility to businesses that a worker hasn't applied to: none, without the name until contact, or by name. */
export const findableChoices = ['off', 'unnamed', 'named'] as const;
export type Findable = (typeof findableChoices)[number];
