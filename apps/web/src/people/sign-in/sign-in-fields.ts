import { t } from '@lingui/core/macro';
import { limits } from '@nearhand/contract/limits';
import { isEmail } from '@nearhand/contract/people/contact.rules';

/** Catches obvious mistakes; the server decides. */
export function emailProblem(email: string): string | undefined {
  const typed = email.trim();
  if (typed === '') return t`Enter your email address.`;
  return isEmail(typed) ? undefined : t`Enter an address such as name@example.com.`;
}

/** Spec §5, verbatim. */
export function passwordProblem(password: string): string | undefined {
  return password.length < limits.passwordMin
    ? t`The password must be 6 characters long or more.`
    : undefined;
}
