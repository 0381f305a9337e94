import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AuthError, auth } from '../../lib/api/auth-port.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { withNext } from '../../lib/pages/next-path.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { showAuthError } from './auth-alert.ts';
import './sign-in.css';

/** The code after the password: from the authenticator app, or a recovery code. The guard redirects once it was right. */
export function SecondStepForm() {
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

  const send = async ({ code }: { code: string }) => {
    setBusy(t`Signing in...`);
    try {
      const { emailVerified } = await auth().answerSecondStep(code, { recovery, trustDevice });
      if (!emailVerified) navigate(withNext('/login', search), { replace: true });
    } catch (failure) {
      setBusy(null);
      form.reset({ code: '' });
      await showAuthError('signIn', failure);
      if (failure instanceof AuthError && failure.code === 'auth/invalid-multi-factor-session')
        navigate(withNext('/login', search), { replace: true });
    }
  };

  return (
    <form
      className="sign-in"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(send);
      }}
    >
      <TextInput
        key={recovery ? 'recovery' : 'code'}
        id={form.idOf('code')}
        label={recovery ? t`Recovery code` : t`Code`}
        help={
          recovery
            ? t`One of the codes you saved. Each works once.`
            : t`6 digits. It changes every 30 seconds.`
        }
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.signInCodeMax}
        value={form.values.code}
        error={form.problems.code}
        onChange={(event) => form.change({ code: event.target.value })}
      />
      <Check
        label={t`Trust this device for ${limits.trustedDeviceDays} days`}
        help={t`We won't ask for a code here. Only on a device of your own.`}
        checked={trustDevice}
        onChange={(event) => setTrustDevice(event.target.checked)}
      />
      <Button kind="go" full type="submit">
        {t`Log in`}
      </Button>
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
    </form>
  );
}
