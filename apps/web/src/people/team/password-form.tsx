import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { authText } from '../../lib/api/auth-text.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useUser } from '../../lib/session.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput } from '../../ui/controls/inputs.tsx';
import { PasskeyProof } from '../passkeys/passkey-proof.tsx';
import { enterPassword } from './team.api.ts';

/** Asks for the password again, then does what it is for. */
export function PasswordForm({
  button,
  onProved,
  children,
}: {
  button: string;
  onProved: () => Promise<void>;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const user = useUser();
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ password: '' }),
    check: ({ password }): { password?: string } =>
      password === '' ? { password: t`Enter your password.` } : {},
  });
  const send = async ({ password }: { password: string }) => {
    try {
      await enterPassword(password);
      await onProved();
    } catch (failure) {
      if (failure instanceof AuthError)
        form.refuse({
          fields: {
            password:
              failure.code === 'auth/wrong-password' ? t`This is not your password.` : authText(failure),
          },
        });
      else form.refuse({ text: errorText(failure) });
    }
  };
  const goOn = async () => {
    try {
      await onProved();
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p>{children}</p>
      {/* Password managers find the password by this name. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordInput
        id={form.idOf('password')}
        label={t`Your password`}
        help={t`No password yet? Set one with “Forgot password” on the login page.`}
        autoComplete="current-password"
        value={form.values.password}
        error={form.problems.password}
        onChange={(event) => form.change({ password: event.target.value })}
      />
      <Refused text={form.refusal} />
      <Button kind="go" full type="submit" busy={form.busy}>
        {button}
      </Button>
      <PasskeyProof onProved={goOn} />
    </Form>
  );
}
