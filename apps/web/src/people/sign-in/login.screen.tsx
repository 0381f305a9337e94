import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { Screen } from '../../ui/pages/screen.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { LoginForm } from './login-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

/**
 * Sign in. Links in mails also open this page, since the specification fixes the paths: `?verify=` confirms an email,
 * `?reset=` sets a new password.
 */
export default function LoginScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const reset = query.get('reset');
  const verify = query.get('verify');

  if (reset) {
    return (
      <Screen
        key="reset"
        title={t`New password`}
        heading={t`Choose a new password`}
        lead={t`You'll be signed out on all your devices.`}
        back="/getting-started"
        width="narrow"
        rings
      >
        <NewPasswordForm code={reset} />
      </Screen>
    );
  }
  if (verify) return <ConfirmEmail key={verify} code={verify} />;
  return (
    <Screen
      key="login"
      title={t`Log in`}
      heading={t`Welcome back`}
      lead={t`Sign in to see your work, messages and balance.`}
      back="/getting-started"
      width="narrow"
      rings
    >
      <LoginForm />
    </Screen>
  );
}
