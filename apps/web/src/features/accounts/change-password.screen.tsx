import { useIonRouter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AuthError, auth } from '../../lib/auth-port.ts';
import { authText } from '../../lib/auth-text.ts';
import { useUser } from '../../lib/session.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordInput } from '../../ui/inputs.tsx';
import { Screen } from '../../ui/screen.tsx';
import { focusFirst, passwordProblem } from './sign-in-fields.ts';
import './sign-in.css';

const currentId = 'current-password';
const nextId = 'new-password';

/** Current and new password; then the notice, and after 3 seconds the account tab (spec §2, §8, §9). */
export default function ChangePasswordScreen() {
  const { t } = useLingui();
  const router = useIonRouter();
  const go = useRef(router.push);
  go.current = router.push;
  const user = useUser();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problems, setProblems] = useState<Record<string, string | undefined>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => {
      setDone(false);
      go.current('/tabs/menu/account', 'back', 'replace');
    }, limits.redirectAfterPasswordChangeMs);
    return () => clearTimeout(timer);
  }, [done]);

  const change = async (event: FormEvent) => {
    event.preventDefault();
    if (!user) return;
    const found = {
      [currentId]: current === '' ? t`Enter your current password.` : undefined,
      [nextId]: passwordProblem(next),
    };
    setProblems(found);
    if (focusFirst(found)) return;
    setBusy(t`Changing password....`);
    try {
      await auth().reauthenticate(user.email, current);
      await auth().updatePassword(next);
      setBusy(null);
      setCurrent('');
      setNext('');
      setDone(true);
    } catch (failure) {
      setBusy(null);
      const code = failure instanceof AuthError ? failure.code : 'auth/internal-error';
      const why = code === 'auth/wrong-password' ? t`This is not your current password.` : authText(failure);
      await showAlert({ tone: 'bad', title: t`Error`, message: t`Error. Password changed failed.` });
      const where = code === 'auth/weak-password' ? nextId : currentId;
      setProblems({ [where]: why });
      focusFirst({ [where]: why });
    }
  };

  return (
    <Screen
      title={t`Change password`}
      lead={t`Every other session of your account ends.`}
      back="/tabs/menu/account"
      width="narrow"
    >
      <form className="sign-in" noValidate onSubmit={(event) => void change(event)}>
        {done ? (
          <Banner tone="good" icon="check-circle" live>
            {t`Password changed successfully. Redirecting in 3 seconds...`}
          </Banner>
        ) : null}
        {/* Password managers file the new password under this name. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordInput
          id={currentId}
          label={t`Current password`}
          autoComplete="current-password"
          value={current}
          error={problems[currentId]}
          disabled={done}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <PasswordInput
          id={nextId}
          label={t`New password`}
          help={t`At least 6 characters.`}
          autoComplete="new-password"
          value={next}
          error={problems[nextId]}
          disabled={done}
          onChange={(event) => setNext(event.target.value)}
        />
        <Button kind="go" full type="submit" disabled={done}>
          {t`Change password`}
        </Button>
        <Busy text={busy} />
      </form>
    </Screen>
  );
}
