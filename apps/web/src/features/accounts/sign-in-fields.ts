import { t } from '@lingui/core/macro';
import { limits } from '@nearhand/contract/limits';

/** Only what is plainly no address; the server has the last word. */
export function emailProblem(email: string): string | undefined {
  const typed = email.trim();
  if (typed === '') return t`Enter your email address.`;
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(typed)
    ? undefined
    : t`Enter an address such as name@example.com.`;
}

/** Spec §5, verbatim. */
export function passwordProblem(password: string): string | undefined {
  return password.length < limits.passwordMin
    ? t`The password must be 6 characters long or more.`
    : undefined;
}

/** The control of the first field that is wrong, to put the focus there. */
export function focusFirst(problems: Record<string, string | undefined>): boolean {
  const first = Object.keys(problems).find((id) => problems[id] !== undefined);
  if (first === undefined) return false;
  document.getElementById(first)?.focus();
  return true;
}
