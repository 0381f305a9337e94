import { useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { withNext } from '../../lib/pages/next-path.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { LoginForm } from './login-form.tsx';

// Few visits need one, and this screen must load fast for everyone.
const ConfirmEmail = lazyPart(() => import('./confirm-email.tsx'));
const NewPasswordForm = lazyPart(() => import('./new-password-form.tsx'));
const SecondStepForm = lazyPart(() => import('./second-step-form.tsx'));

/** The code of a link in a mail that Firebase sent (docs/identity.md). */
const codeOf = (query: URLSearchParams, mode: 'resetPassword' | 'verifyEmail'): string | null =>
  query.get('mode') === mode ? query.get('oobCode') : null;

/**
 * Mailed links open it too: `?verify=` confirms an email, `?reset=` sets a password, `?second-step=` needs a
 * code.
 */
export default function LoginScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const reset = query.get('reset') ?? codeOf(query, 'resetPassword');
  const verify = query.get('verify') ?? codeOf(query, 'verifyEmail');

  if (reset) {
    return (
      <Screen
        key="reset"
        title={t`New password`}
        heading={t`Choose a new password`}
        lead={
          query.has('verified')
            ? t`Your email is verified. Choose the password you’ll log in with from now on.`
            : t`You'll be signed out on all your devices.`
        }
        back="/getting-started"
        width="narrow"
        rings
      >
        <Suspense fallback={<Loading>{null}</Loading>}>
          <NewPasswordForm code={reset} />
        </Suspense>
      </Screen>
    );
  }
  if (query.has('second-step')) {
    return (
      <Screen
        key="second-step"
        title={t`Second step`}
        heading={t`Enter your code`}
        lead={t`Open your authenticator app for the code.`}
        back={withNext('/login', search)}
        width="narrow"
        rings
      >
        <Suspense fallback={<Loading>{null}</Loading>}>
          <SecondStepForm />
        </Suspense>
      </Screen>
    );
  }
  if (verify)
    return (
      <Suspense fallback={<Loading>{null}</Loading>}>
        <ConfirmEmail key={verify} code={verify} />
      </Suspense>
    );
  return (
    <Screen
      key="login"
      title={t`Log in`}
      heading={t`Welcome back`}
      lead={t`Log in to see your work, messages and balance.`}
      back="/getting-started"
      width="narrow"
      rings
    >
      <LoginForm />
    </Screen>
  );
}
