import { useIonRouter } from '@ionic/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AuthError, auth } from '../../lib/auth-port.ts';
import { withNext } from '../../lib/next-path.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordInput, TextInput } from '../../ui/inputs.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showAuthError } from './auth-alert.ts';
import { emailProblem, focusFirst, passwordProblem } from './sign-in-fields.ts';
import { SocialButtons } from './social-buttons.tsx';
import { termsVersion } from './terms.tsx';
import { keepAcceptedTerms } from './terms-kept.ts';
import { TermsLine } from './terms-line.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

const emailId = 'register-email';
const passwordId = 'register-password';

/** Creates the account, has the verification email sent, says so, and goes on to the steps that need no verified email (spec §4). Creating it accepts the terms,
 * which are recorded at the first verified sign-in (ADR 0033). */
export default function RegisterScreen() {
  const { t } = useLingui();
  const router = useIonRouter();
  const { search } = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Record<string, string | undefined>>({});
  const [busy, setBusy] = useState<string | null>(null);

  const create = async (event: FormEvent) => {
    event.preventDefault();
    const found = { [emailId]: emailProblem(email), [passwordId]: passwordProblem(password) };
    setProblems(found);
    if (focusFirst(found)) return;
    setBusy(t`Creating your account...`);
    try {
      const made = await auth().createAccount(email.trim(), password);
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
    setPassword('');
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
        <TextInput
          id={emailId}
          label={t`Email`}
          help={t`We send you a link to verify it.`}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={email}
          error={problems[emailId]}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordInput
          id={passwordId}
          label={t`Password`}
          help={t`At least 6 characters.`}
          name="password"
          autoComplete="new-password"
          value={password}
          error={problems[passwordId]}
          onChange={(event) => setPassword(event.target.value)}
        />
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
