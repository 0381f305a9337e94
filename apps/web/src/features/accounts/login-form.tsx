import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AuthError, auth } from '../../lib/auth-port.ts';
import { withNext } from '../../lib/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button } from '../../ui/button.tsx';
import { showAuthError } from './auth-alert.ts';
import { CredentialFields, useCredentials } from './credentials.tsx';
import { SocialButtons } from './social-buttons.tsx';
import { VerifyNotice } from './verify-notice.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

/** Email and password, forgotten password, and the way to an account. A verified user is led on by the guard (spec §4). */
export function LoginForm({ notice }: { notice?: string }) {
  const { t } = useLingui();
  const { search } = useLocation();
  const user = useUser();
  const typed = useCredentials('login', user?.email);
  const [busy, setBusy] = useState<string | null>(null);
  const [told, setTold] = useState(notice);

  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    if (!typed.areComplete()) return;
    setTold(undefined);
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().signIn(typed.email, typed.password);
      typed.forgetPassword();
      // The guard may still ask where to lead a verified user, and then takes this page away.
      if (!emailVerified) setBusy(null);
    } catch (failure) {
      setBusy(null);
      const guess = failure instanceof AuthError && failure.code === 'auth/invalid-credential';
      const answer = await showAuthError('signIn', failure, [
        { value: 'again', label: t`Try again` },
        ...(guess ? [{ value: 'reset', label: t`Reset password` }] : []),
      ]);
      if (answer === 'reset') await resetPassword();
    }
  };

  const resetPassword = async () => {
    if (!typed.emailIsComplete()) return;
    const to = typed.email;
    const answer = await showAlert({
      tone: 'ask',
      title: t`Reset your password?`,
      message: t`We send a link to ${to}. It works once, for one hour.`,
      buttons: [
        { value: 'send', label: t`Send the email` },
        { value: 'cancel', label: t`Cancel` },
      ],
    });
    if (answer !== 'send') return;
    try {
      await auth().sendPasswordReset(to);
      setTold(t`A password reset email has been sent. Please check your inbox.`);
    } catch (failure) {
      await showAuthError('reset', failure);
    }
  };

  return (
    <form className="sign-in" noValidate onSubmit={(event) => void signIn(event)}>
      {told ? null : <WhySignIn />}
      {told ? (
        <Banner tone="good" icon="envelope-simple" live>
          {told}
        </Banner>
      ) : null}
      {user && !user.emailVerified ? <VerifyNotice email={user.email} /> : null}
      <CredentialFields {...typed.fields} />
      <Button kind="text" size="s" className="forgotten" onClick={() => void resetPassword()}>
        {t`Forgotten password`}
      </Button>
      <Button kind="go" full type="submit">
        {t`Log in`}
      </Button>
      <SocialButtons terms onBusy={(on) => setBusy(on ? t`Signing in...` : null)} />
      <p className="sign-in-foot sm mute">
        <Trans>
          New here?{' '}
          <Link className="link" to={withNext('/register', search)}>
            Create account
          </Link>
        </Trans>
      </p>
      <Busy text={busy} />
    </form>
  );
}
