import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { loadWhenIdle } from '../../lib/pages/load-part.ts';
import { type AlertText, showAlert } from '../../ui/overlays/alert.tsx';

/** The failed action, the alert's subtitle (spec §8). */
export const authActions = {
  create: msg`Create account`,
  signIn: msg`Sign in`,
  verify: msg`Verification`,
  reset: msg`Password Reset`,
  signOut: msg`Sign out`,
} satisfies Record<string, MessageDescriptor>;

// The texts of all codes are large, and only a failed sign-in needs one.
const loadTexts = () => import('../../lib/api/auth.labels.ts');
loadWhenIdle(loadTexts);

async function failureText(failure: unknown, read: 'authText' | 'socialAuthText'): Promise<string> {
  try {
    return (await loadTexts())[read](failure);
  } catch {
    return t`An error occurred. Please try to sign in again later.`;
  }
}

type AuthAlert = {
  buttons?: AlertText['buttons'];
  /** The text at the field that the alert covers. It is repeated in the alert where it says more than the code's message. */
  reason?: string | undefined;
};

/** Shows an alert: title Error, the action, the code's message (spec §8). Resolves to the pressed button's value. */
export async function showAuthError(
  action: keyof typeof authActions,
  failure: unknown,
  { buttons, reason }: AuthAlert = {},
): Promise<string | null> {
  const texts = new Set([await failureText(failure, 'authText'), reason ?? '']);
  return showAlert({
    tone: 'bad',
    title: t`Error`,
    subtitle: i18n._(authActions[action]),
    message: [...texts].join('\n').trim(),
    buttons: buttons || undefined,
  });
}

export const showSocialError = async (failure: unknown): Promise<string | null> =>
  showAlert({
    tone: 'bad',
    title: t`Error`,
    subtitle: t`Sign In`,
    message: await failureText(failure, 'socialAuthText'),
  });
