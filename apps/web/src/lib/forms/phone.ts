import { t } from '@lingui/core/macro';
import { isPhone, plainPhone } from '@nearhand/contract/people/contact.rules';
import { useEffect, useState } from 'react';

type Phones = typeof import('libphonenumber-js/min');
let phones: Phones | null = null;

/** Loads the numbering plans, for numbers as people dial them at home. */
export async function loadPhones(): Promise<void> {
  phones ??= await import('libphonenumber-js/min');
}

/** Loads the numbering plans and re-renders the form once they are available. Returns whether they are. */
export function usePhones(): boolean {
  const [loaded, setLoaded] = useState(phones !== null);
  useEffect(() => {
    void loadPhones().then(
      () => setLoaded(true),
      // Offline, a number with its country code can still be parsed.
      () => undefined,
    );
  }, []);
  return loaded;
}

/**
 * The number in E.164: "06 12345678" in the Netherlands is +31612345678. Null if it is invalid, or national while the
 * plans are missing.
 */
export function phoneIn(typed: string, country: string): string | null {
  const plain = plainPhone(typed);
  const number = phones?.parsePhoneNumberFromString(plain, country as never);
  if (number?.isValid() && isPhone(number.number)) return number.number;
  return isPhone(plain) ? plain : null;
}

/** The country (ISO 3166) of a number in E.164; null if it has none, or while the plans are missing. */
export const countryOfPhone = (number: string): string | null =>
  phones?.parsePhoneNumberFromString(number)?.country ?? null;

/** A number in E.164 with spaces: "+31 20 612 3456". Other texts, and all until the plans are loaded, stay as they are. */
export const spacedPhone = (number: string): string =>
  phones?.parsePhoneNumberFromString(number)?.formatInternational() ?? number;

/** A number in E.164 as people read it, from left to right in every language. */
const phoneText = (number: string): string => `\u2066${spacedPhone(number).replaceAll(' ', '\u00a0')}\u2069`;

/** Shows numbers with `phoneText`, and loads the plans for it. */
export function usePhoneText(): (number: string) => string {
  usePhones();
  return phoneText;
}

export const phoneExample = '+31\u00a06\u00a012345678';

/** No country has shorter numbers that are dialled from abroad (ITU E.164). */
const fewestDigits = 7;

/** The reason why a text isn't a phone number in E.164; null if it is one. */
export function phoneProblem(typed: string): string | null {
  if (isPhone(typed)) return null;
  const [digits] = /^\+?\d+$/.exec(plainPhone(typed)) ?? [];
  return digits && digits.replace('+', '').length < fewestDigits
    ? t`This number is too short. Enter all of it with its country code, like ${phoneExample}.`
    : t`Check the number, or enter it with its country code, like ${phoneExample}.`;
}
