import { t } from '@lingui/core/macro';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { isPattern, withoutOwnWords } from '@nearhand/contract/people/passwords.rules';

/** Catches obvious mistakes; the server decides. */
export function emailProblem(email: string): string | undefined {
  const trimmed = email.trim();
  if (trimmed === '') return t`Enter your email address.`;
  return isEmail(trimmed) ? undefined : t`Enter an address such as name@example.com.`;
}

/** The message is taken verbatim from §5 of the specification. */
export function passwordProblem(password: string): string | undefined {
  return password.length < peopleLimits.passwordMin
    ? t`The password must be 6 characters long or more.`
    : undefined;
}

/** Patterns are refused before the server is asked; common passwords only the server knows. */
export const newPasswordProblem = (password: string): string | undefined =>
  passwordProblem(password) ??
  (isPattern(password)
    ? t`This password repeats or counts, so it's quickly guessed. Use three or four words.`
    : undefined);

const fairLength = 10;
const strongLength = 14;

/**
 * Rates a new password, mostly by its length. The server rejects common passwords and passwords made of our
 * own words.
 */
export function passwordHint(password: string): string {
  if (password.length < peopleLimits.passwordMin)
    return t`At least 6 characters. Not your email or a common password.`;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const ownPart = withoutOwnWords(password);
  const guessable = ownPart.length < peopleLimits.passwordMin || new Set(ownPart).size < fairLength / 2;
  const length = guessable ? 0 : ownPart.length + kinds - 1;
  if (length < fairLength) return t`Weak. Make it longer: three or four words work well.`;
  if (length < strongLength) return t`Fair. A few more characters make it strong.`;
  return t`Strong.`;
}
