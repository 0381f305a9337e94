import { t } from '@lingui/core/macro';
import { isPhone, plainPhone } from '@nearhand/contract/people/contact.rules';

export const phoneExample = '+31\u00a06\u00a012345678';

/** No country has shorter numbers that are dialled from abroad (ITU E.164). */
const fewestDigits = 7;

/** Says why a text is no phone number in E.164; null if it is one. */
export function phoneProblem(typed: string): string | null {
  if (isPhone(typed)) return null;
  const [digits] = /^\+?\d+$/.exec(plainPhone(typed)) ?? [];
  return digits && digits.replace('+', '').length < fewestDigits
    ? t`This number is too short. Enter all of it with its country code, like ${phoneExample}.`
    : t`Enter the number with its country code, like ${phoneExample}.`;
}
