import { Trans, useLingui } from '@lingui/react/macro';
import { termsInForce } from '@nearhand/contract/people/terms-of-use.rules';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AuthError, auth } from '../../lib/api/auth-port.ts';
import { replaceForward } from '../../lib/pages/go-back.ts';
import { keepNext } from '../../lib/pages/kept-next.ts';
import { nextOf, withNext } from '../../lib/pages/next-path.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { TermsLine } from '../terms-of-use/terms-line.part.tsx';
import { keepAcceptedTerms } from '../terms-of-use/terms-of-use.api.ts';
import { showAuthError } from './auth-alert.ts';
import { CredentialFields, useCredentials } from './credentials.tsx';
import { SocialButtons } from './social-buttons.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

/**
 * Creates the account, sends the verification email and continues with the steps that need no verified email (spec §4). The
 * accepted terms are recorded at the first verified sign-in (ADR 0033).
 */
export default function RegisterScreen() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { search } = useLocation();
  const typed = useCredentials('register');
  const [busy, setBusy] = useState<string | null>(null);

  const create = async ({ email, password }: { email: string; password: string }) => {
    setBusy(t`Creating your account...`);
    try {
      const made = await auth().createAccount(email.trim(), password);
      keepAcceptedTerms(termsInForce, made.id);
      keepNext(nextOf(search));
    } catch (failure) {
      setBusy(null);
      const taken = failure instanceof AuthError && failure.code === 'auth/email-already-in-use';
      const answer = await showAuthError('create', failure, [
        { value: 'again', label: t`Try again` },
        ...(taken ? [{ value: 'login', label: t`Log in` }] : []),
      ]);
      if (answer === 'login') navigate(withNext('/login', search), replaceForward);
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
    navigate(withNext('/expertise', search));
  };

  return (
    <Screen
      title={t`Create account`}
      lead={t`One account to find work and to hire. It's free.`}
      back="/getting-started"
      width="narrow"
      rings
    >
      <form
        className="sign-in"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void typed.submit(create);
        }}
      >
        <WhySignIn />
        <CredentialFields form={typed} isNew />
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
