import { Trans, useLingui } from '@lingui/react/macro';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AuthError, auth, isCancelled, isSecondStep } from '../../lib/api/auth-provider.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { nextOf, withNext } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { showAuthError } from './auth-alert.ts';
import { CredentialFields, useCredentials } from './credentials.tsx';
import { emailProblem } from './sign-in-fields.ts';
import { SocialButtons } from './social-buttons.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

// Few see it, and this screen must load fast for everyone.
const VerifyNotice = lazyPart(() =>
  import('./verify-notice.tsx').then((part) => ({ default: part.VerifyNotice })),
);

/** Signs in by password or passkey, and sends the link to reset a password. `message` says that it was sent. */
function useSigningIn(credentials: ReturnType<typeof useCredentials>, notice: string | undefined) {
  const { t } = useLingui();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string | null>(null);
  const [message, setMessage] = useState(notice);

  const signIn = async ({ email, password }: { email: string; password: string }) => {
    setMessage(undefined);
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().signIn(email.trim(), password);
      credentials.forgetPassword();
      // The guard may still be deciding where to go, and then unmounts this page.
      if (!emailVerified) setBusy(null);
    } catch (failure) {
      setBusy(null);
      if (isSecondStep(failure)) {
        credentials.forgetPassword();
        const next = nextOf(search);
        navigate(`/login?second-step=1${next ? `&next=${encodeURIComponent(next)}` : ''}`);
        return;
      }
      const code = failure instanceof AuthError ? failure.code : null;
      const isLocked = code === 'auth/too-many-requests';
      // Loaded on failure only, as this screen must load fast.
      // Without this part, such as after a deploy, the alert alone shows the reason.
      const fields: { email?: string; password?: string } = await import('./refused-credentials.ts')
        .then(({ refusedLogIn }) => refusedLogIn(failure))
        .catch(() => ({}));
      credentials.refuse({ fields });
      const buttons = [
        { value: 'again', label: isLocked ? t`Close` : t`Try again` },
        ...(isLocked || code === 'auth/invalid-credential'
          ? [{ value: 'reset', label: t`Reset password` }]
          : []),
      ];
      const choice = await showAuthError('signIn', failure, {
        buttons,
        reason: fields.email ?? fields.password,
      });
      if (choice === 'reset') await resetPassword();
    }
  };

  /** A malformed address gets the specification's alert too (spec §5), without a request. */
  const refuse = () => {
    const email = credentials.read().email.trim();
    if (email !== '' && !isEmail(email))
      void showAuthError('signIn', new AuthError('auth/invalid-email'), { reason: emailProblem(email) });
  };

  const signInByPasskey = async () => {
    setMessage(undefined);
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().signInWithPasskey();
      if (!emailVerified) setBusy(null);
    } catch (failure) {
      setBusy(null);
      if (!isCancelled(failure)) await showAuthError('signIn', failure);
    }
  };

  const resetPassword = async () => {
    const to = credentials.emailAlone();
    if (to === null) return;
    try {
      const { sendResetLink } = await import('./refused-credentials.ts');
      if (await sendResetLink(to))
        setMessage(t`A password reset email has been sent. Please check your inbox.`);
    } catch (failure) {
      await showAuthError('reset', failure);
    }
  };

  return {
    busy,
    message,
    signIn,
    refuse,
    signInByPasskey,
    resetPassword,
    setSocialBusy: (on: boolean) => setBusy(on ? t`Signing in...` : null),
  };
}

/** Email and password, password reset, and a link to sign up. The guard redirects a verified user (spec §4). */
export function LoginForm({ notice }: { notice?: string }) {
  const { t } = useLingui();
  const { search } = useLocation();
  const user = useUser();
  const credentials = useCredentials('login', user?.email);
  const { busy, message, signIn, refuse, signInByPasskey, resetPassword, setSocialBusy } = useSigningIn(
    credentials,
    notice,
  );
  return (
    <Form className="sign-in" onSubmit={() => void credentials.submit(signIn, refuse)}>
      {message ? null : <WhySignIn />}
      {message ? (
        <Banner tone="good" icon="envelope-simple" live>
          {message}
        </Banner>
      ) : null}
      {user && !user.emailVerified && user.email === credentials.values.email.trim() ? (
        <Suspense fallback={null}>
          <VerifyNotice email={user.email} correctAt={withNext('/getting-started', search)} />
        </Suspense>
      ) : null}
      <CredentialFields form={credentials} />
      <Button kind="text" size="s" className="forgotten" needsNetwork onClick={() => void resetPassword()}>
        {t`Forgot password?`}
      </Button>
      <Button kind="go" full type="submit" needsNetwork>
        {t`Log in`}
      </Button>
      {passkeysWork() ? (
        <Button kind="out" full icon="key" needsNetwork onClick={() => void signInByPasskey()}>
          {t`Use a passkey`}
        </Button>
      ) : null}
      <HelpLink article="password">{t`Can't log in?`}</HelpLink>
      <SocialButtons terms onBusy={setSocialBusy} />
      <p className="sign-in-foot sm mute">
        <Trans>
          New here?{' '}
          <Link className="link" to={withNext('/register', search)}>
            Create account
          </Link>
        </Trans>
      </p>
      <Busy text={busy} />
    </Form>
  );
}
