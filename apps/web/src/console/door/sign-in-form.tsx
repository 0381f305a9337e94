import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { AuthError } from '../../lib/api/auth-port.ts';
import { authText } from '../../lib/api/auth-text.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput, TextInput } from '../../ui/controls/inputs.tsx';
import { consoleAuth } from '../console-auth.ts';
import { SignInCodeForm } from './code-form.tsx';
import { DoorPage } from './door-page.tsx';
import { PasskeyButton, unlessCancelled } from './passkey-button.tsx';

/** Email and password, then the code if the account asks for one; or a passkey instead of both. */
export function SignInForm() {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const move = useMove(authText);
  const form = useFormModel({
    id: 'operator-sign-in',
    focusProblems: true,
    start: () => ({ email: '', password: '' }),
    check: ({ email, password }): { email?: string; password?: string } => ({
      ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: 'Enter your email address.' }),
      ...(password === '' ? { password: 'Enter your password.' } : {}),
    }),
  });
  if (step === 'code') return <SignInCodeForm onOver={() => setStep('password')} />;

  const send = async ({ email, password }: { email: string; password: string }) => {
    await move.run(async () => {
      try {
        await consoleAuth.signIn(email.trim(), password);
      } catch (failure) {
        if (!(failure instanceof AuthError) || failure.code !== 'auth/multi-factor-auth-required')
          throw failure;
        form.reset({ email, password: '' });
        setStep('code');
      }
    });
  };

  return (
    <DoorPage
      title="Log in"
      heading="Log in to the console"
      lead="For Nearhand's staff, with your own account and its second step."
    >
      <Form onSubmit={() => void form.submit(send)}>
        <Refused text={move.refusal} />
        <TextInput
          id={form.idOf('email')}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailMax}
          value={form.values.email}
          error={form.problems.email}
          onChange={(event) => form.change({ email: event.target.value })}
        />
        <PasswordInput
          id={form.idOf('password')}
          label="Password"
          autoComplete="current-password"
          value={form.values.password}
          error={form.problems.password}
          onChange={(event) => form.change({ password: event.target.value })}
        />
        <Button kind="go" full type="submit" busy={move.busy}>
          Log in
        </Button>
      </Form>
      <PasskeyButton
        action="Use a passkey"
        busy={move.busy}
        onUse={() => void move.run(() => unlessCancelled(consoleAuth.signInWithPasskey))}
      />
    </DoorPage>
  );
}
