import { useIonRouter } from '@ionic/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AuthError, auth } from '../../lib/auth-port.ts';
import { withNext } from '../../lib/next-path.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showAuthError } from './auth-alert.ts';
import { CredentialFields, useCredentials } from './credentials.tsx';
import { SocialButtons } from './social-buttons.tsx';
import { termsVersion } from './terms.tsx';
import { keepAcceptedTerms } from './terms-kept.ts';
import { TermsLine } from './terms-line.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

/** Creates the account, has the verification email sent, says so, and goes on to the steps that need no verified email (spec §4). Creating it accepts the terms,
 * which are recorded at the first verified sign-in (ADR 0033). */
export default function RegisterScreen() {
  const { t } = useLingui();
  const router = useIonRouter();
  const { search } = useLocation();
  const typed = useCredentials('register');
  const [busy, setBusy] = useState<string | null>(null);

  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (!typed.areComplete()) return;
    setBusy(t`Creating your account...`);
    try {
      const made = await auth().createAccount(typed.email, typed.password);
      keepAcceptedTerms(termsVersion, made.id);
    } catch (failure) {
      setBusy(null);
      const taken = failure instanceof AuthError && failure.code === 'auth/email-already-in-use';
      const answer = await showAuthError('create', failure, [
        { value: 'again', label: t`Try again` },
        ...(taken ? [{ value: 'login', label: t`Log in` }] : []),
      ]);
      if (answer === 'login') router.push(withNext('/login', search), 'forward', 'replace');
      return;
    }
    let sent = true;
    try {
      await auth().sendEmailVerification();
    } catch (failure) {
      sent = false;
      setBusy(null);
      await showAuthError('verify', failure);
    }
    setBusy(null);
    typed.forgetPassword();
    if (sent)
      await showAlert({
        title: t`Account created`,
        message: t`Verify your email, and then proceed to log in. Check your inbox for a verification email.`,
        buttons: [{ value: 'ok', label: t`Set up your profile` }],
      });
    router.push(withNext('/expertise', search), 'forward', 'push');
  };

  return (
    <Screen
      title={t`Create account`}
      lead={t`One account to find work and to hire. It is free.`}
      back="/getting-started"
      width="narrow"
      rings
    >
      <form className="sign-in" noValidate onSubmit={(event) => void create(event)}>
        <WhySignIn />
        <CredentialFields {...typed.fields} isNew />
        <TermsLine />
        <Button kind="go" full type="submit">
          {t`Create account`}
        </Button>
        <SocialButtons onBusy={(on) => setBusy(on ? t`Signing in...` : null)} />
        <p className="sign-in-foot sm mute">
          <Trans>
            Have an account?{' '}
            <Link className="link" to={withNext('/login', search)}>
              Log in
            </Link>
          </Trans>
        </p>
        <Busy text={busy} />
      </form>
    </Screen>
  );
}
