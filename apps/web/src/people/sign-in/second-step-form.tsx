import { useLingui } from '@lingui/react/macro';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AuthError, auth, isCancelled } from '../../lib/api/auth-provider.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { CodeInput } from '../../ui/controls/code-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { showAuthError } from './auth-alert.ts';
import './sign-in.css';

/** The step expired or was used: it restarts with the password. */
const isOver = (failure: unknown): boolean =>
  failure instanceof AuthError && failure.code === 'auth/invalid-multi-factor-session';

/** The login page, with the mailed link or return path that the sign-in began with. */
function loginPath(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('second-step');
  return `/login?${query}`.replace(/\?$/, '');
}

/** A failed request falls back to the code. */
function useAnswerByPasskey(): boolean {
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    if (!passkeysWork()) return;
    void auth()
      .canAnswerWithPasskey()
      .then(setOffered, () => setOffered(false));
  }, []);
  return offered;
}

export default function SecondStepForm() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [recovery, setRecovery] = useState(false);
  const [trustDevice, setTrustDevice] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const form = useFormModel({
    id: 'second-step',
    focusProblems: true,
    start: () => ({ code: '' }),
    check: ({ code }): { code?: string } =>
      code.trim() === ''
        ? { code: recovery ? t`Enter a recovery code.` : t`Enter the code from your app.` }
        : {},
  });

  const passkey = useAnswerByPasskey();
  const answerByPasskey = async () => {
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().answerSecondStepWithPasskey();
      if (!emailVerified) navigate(loginPath(search), { replace: true });
    } catch (failure) {
      setBusy(null);
      if (isCancelled(failure)) return;
      await showAuthError('signIn', failure);
      if (isOver(failure)) navigate(loginPath(search), { replace: true });
    }
  };

  const send = async ({ code }: { code: string }) => {
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().answerSecondStep(code, { recovery, trustDevice });
      if (!emailVerified) navigate(loginPath(search), { replace: true });
    } catch (failure) {
      setBusy(null);
      form.reset({ code: '' });
      if (failure instanceof AuthError && failure.code === 'auth/code-expired')
        form.refuse({ fields: { code: t`This code was already used. Wait for the next one.` } });
      else await showAuthError('signIn', failure);
      if (isOver(failure)) navigate(loginPath(search), { replace: true });
    }
  };

  return (
    <Form className="sign-in" onSubmit={() => void form.submit(send)}>
      <CodeInput
        recovery={recovery}
        id={form.idOf('code')}
        label={recovery ? t`Recovery code` : t`Code`}
        help={
          recovery
            ? t`One of the codes you saved. Each works once.`
            : t`6 digits. It changes every 30 seconds.`
        }
        value={form.values.code}
        error={form.problems.code}
        onChange={(code) => form.change({ code })}
      />
      <Check
        label={t`Trust this device for ${peopleLimits.trustedDeviceDays} days`}
        help={t`We won't ask for a code here. Only on a device of your own.`}
        checked={trustDevice}
        onChange={(event) => setTrustDevice(event.target.checked)}
      />
      <Button kind="go" full type="submit" needsNetwork>
        {t`Log in`}
      </Button>
      {passkey ? (
        <Button kind="out" full icon="key" needsNetwork onClick={() => void answerByPasskey()}>
          {t`Use a passkey`}
        </Button>
      ) : null}
      <Button
        kind="text"
        size="s"
        onClick={() => {
          form.reset({ code: '' });
          setRecovery(!recovery);
        }}
      >
        {recovery ? t`Use your authenticator app` : t`Use a recovery code`}
      </Button>
      <Busy text={busy} />
    </Form>
  );
}
