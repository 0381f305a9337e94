import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useUser } from '../../lib/session.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput } from '../../ui/controls/inputs.tsx';

export function PasswordForm({
  lead,
  action,
  email,
  send,
}: {
  lead: string;
  action: string;
  /** The account's address, before its owner has signed in. */
  email?: string;
  send: (password: string) => Promise<void>;
}) {
  const { t } = useLingui();
  const user = useUser();
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ password: '' }),
    check: ({ password }): { password?: string } =>
      password === '' ? { password: t`Enter your password.` } : {},
  });
  const field = form.idOf('password');
  // Runs after the surrounding sheet has opened, which focuses its close button.
  useEffect(() => document.getElementById(field)?.focus(), [field]);
  const run = async ({ password }: { password: string }) => {
    try {
      await send(password);
    } catch (failure) {
      const isWrong = failure instanceof AuthError && failure.code === 'auth/wrong-password';
      form.refuse(
        isWrong ? { fields: { password: t`This isn't your password.` } } : { text: authText(failure) },
      );
    }
  };
  return (
    <Form onSubmit={() => void form.submit(run)}>
      <p>{lead}</p>
      {/* Password managers find the password by this name. */}
      <input type="email" autoComplete="username" value={email ?? user?.email ?? ''} readOnly hidden />
      <PasswordInput
        id={field}
        label={t`Password`}
        autoComplete="current-password"
        value={form.values.password}
        error={form.problems.password}
        onChange={(event) => form.change({ password: event.target.value })}
      />
      <Refused text={form.refusal} />
      <Button kind="go" full type="submit" busy={form.busy}>
        {action}
      </Button>
    </Form>
  );
}
