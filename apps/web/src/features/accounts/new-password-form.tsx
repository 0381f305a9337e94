import { useIonRouter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { AuthError, auth } from '../../lib/auth-port.ts';
import { Banner } from '../../ui/banner.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PasswordInput } from '../../ui/inputs.tsx';
import { showAuthError } from './auth-alert.ts';
import { focusFirst, passwordProblem } from './sign-in-fields.ts';
import './sign-in.css';

const passwordId = 'reset-password';

/** Sets a new password by the link of a mail, then leads to log in with it. */
export function NewPasswordForm({ code }: { code: string }) {
  const { t } = useLingui();
  const router = useIonRouter();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<string | null>(null);
  const [done, setDone] = useState(false);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const found = passwordProblem(password);
    setProblem(found);
    if (focusFirst({ [passwordId]: found })) return;
    setBusy(t`Changing password....`);
    try {
      await auth().confirmPasswordReset(code, password);
      setBusy(null);
      setDone(true);
    } catch (failure) {
      setBusy(null);
      const spent =
        failure instanceof AuthError &&
        (failure.code === 'auth/invalid-action-code' || failure.code === 'auth/expired-action-code');
      const answer = await showAuthError('reset', failure, [
        spent ? { value: 'link', label: t`Request a new link` } : { value: 'again', label: t`Try again` },
        ...(spent ? [{ value: 'close', label: t`Close` }] : []),
      ]);
      if (answer === 'link') router.push('/login', 'root', 'replace');
    }
  };

  if (done) {
    return (
      <div className="sign-in">
        <Banner tone="good" icon="check-circle" live>
          {t`Your new password is set. Log in with it.`}
        </Banner>
        <ButtonLink kind="go" full to="/login" replace>
          {t`Log in`}
        </ButtonLink>
      </div>
    );
  }
  return (
    <form className="sign-in" noValidate onSubmit={(event) => void send(event)}>
      <PasswordInput
        id={passwordId}
        label={t`New password`}
        help={t`At least 6 characters.`}
        autoComplete="new-password"
        value={password}
        error={problem}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="go" full type="submit">
        {t`Set new password`}
      </Button>
      <Busy text={busy} />
    </form>
  );
}
