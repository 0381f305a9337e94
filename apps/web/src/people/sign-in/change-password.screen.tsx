import { useLingui } from '@lingui/react/macro';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useUser } from '../../lib/session.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { refusedCredentials } from './refused-credentials.ts';
import { newPasswordProblem, passwordHint } from './sign-in-fields.ts';
import './sign-in.css';

type Passwords = { current: string; next: string };
const ofNext: ReadonlySet<string> = new Set([
  'auth/weak-password',
  'auth/password-does-not-meet-requirements',
]);
const ofCurrent: ReadonlySet<string> = new Set(['auth/wrong-password', 'auth/invalid-credential']);
const none = (): Passwords => ({ current: '', next: '' });

/** Changes the password, shows the notice, and returns to the account tab after 3 seconds (spec §2, §8, §9). */
export default function ChangePasswordScreen() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const go = useRef(navigate);
  go.current = navigate;
  const user = useUser();
  const form = useFormModel<Passwords>({
    id: 'change-password',
    focusProblems: true,
    start: none,
    check: ({ current, next }) => {
      const problem = newPasswordProblem(next);
      return {
        current: current === '' ? t`Enter your current password.` : undefined,
        next: problem,
      };
    },
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [isChanged, setChanged] = useState(false);

  useEffect(() => {
    if (!isChanged) return;
    const timer = setTimeout(() => {
      setChanged(false);
      go.current('/tabs/menu/account', replaceBack);
    }, peopleLimits.redirectAfterPasswordChangeMs);
    return () => clearTimeout(timer);
  }, [isChanged]);

  const change = async ({ current, next }: Passwords) => {
    if (!user) return;
    setBusy(t`Changing password....`);
    try {
      await auth().reauthenticate(user.email, current);
      await auth().updatePassword(next);
      setBusy(null);
      form.reset(none());
      setChanged(true);
    } catch (failure) {
      setBusy(null);
      const code = failure instanceof AuthError ? failure.code : 'auth/internal-error';
      const isOfNext = ofNext.has(code);
      const reason = isOfNext
        ? next === current
          ? t`This is your current password. Choose another one.`
          : (refusedCredentials(failure).password ?? authText(failure))
        : ofCurrent.has(code)
          ? t`This is not your current password.`
          : authText(failure);
      form.refuse(
        isOfNext
          ? { fields: { next: reason } }
          : ofCurrent.has(code)
            ? { fields: { current: reason } }
            : { text: reason },
      );
      // The specification's text alone (spec §8) would cover the reason.
      const message = `${t`Error. Password changed failed.`}\n${reason}`;
      await showAlert({ tone: 'bad', title: t`Error`, message });
    }
  };

  return (
    <Screen
      title={t`Change password`}
      lead={t`You'll be signed out on your other devices.`}
      back="/tabs/menu/account"
      width="narrow"
    >
      <Form className="sign-in" onSubmit={() => void form.submit(change)}>
        {isChanged ? (
          <Banner tone="good" icon="check-circle" live>
            {t`Password changed successfully. Redirecting in 3 seconds...`}
          </Banner>
        ) : null}
        {/* Password managers file the new password under this name. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordInput
          {...form.textField('current')}
          label={t`Current password`}
          autoComplete="current-password"
          disabled={isChanged}
        />
        <PasswordInput
          {...form.textField('next')}
          label={t`New password`}
          help={passwordHint(form.values.next)}
          autoComplete="new-password"
          disabled={isChanged}
        />
        <Refused text={form.refusal} />
        <Button kind="go" full type="submit" disabled={isChanged} needsNetwork>
          {t`Change password`}
        </Button>
        <HelpLink article="keep-account-safe">{t`Keep your account safe`}</HelpLink>
        <Busy text={busy} />
      </Form>
    </Screen>
  );
}
