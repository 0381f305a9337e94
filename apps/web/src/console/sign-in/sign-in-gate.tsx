import { limits } from '@nearhand/contract/limits';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { clearCache } from '../../lib/api/query.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput, TextInput } from '../../ui/controls/inputs.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Loading, PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { consoleAuth } from '../console-auth.ts';
import { ConfirmForm, SignInCodeForm } from './code-form.tsx';
import {
  OperatorProvider,
  useAwayWhenRefused,
  useOperatorSession,
  useUnseenTooLong,
} from './operator-session.ts';
import { PasskeyButton, unlessCancelled } from './passkey-button.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Admits an operator whose session proved a second factor (ADR 181). An open page stays mounted behind the form. */
export function Door({ children }: { children: ReactNode }) {
  const user = useUser();
  useForgetOnLeaving(user?.id ?? null);
  return user ? (
    <Inside key={user.id} id={user.id}>
      {children}
    </Inside>
  ) : (
    <SignInForm />
  );
}

function Inside({ id, children }: { id: string; children: ReactNode }) {
  const query = useOperatorSession(true);
  const unseen = useUnseenTooLong(query.dataUpdatedAt);
  useAwayWhenRefused();
  const entered = useRef(false);
  if (isApiError(query.error, 'operator/required', 'session/email-not-verified')) return <NoOperator />;
  const { data } = query;
  if (!data)
    return (
      <SignInPage title="Opening the console" heading={null}>
        <QueryState
          query={query}
          loading={
            <Loading>
              <PageSkeleton />
            </Loading>
          }
          errorTitle="We couldn't open the console"
        >
          {() => null}
        </QueryState>
      </SignInPage>
    );
  if (data.secondFactors.length === 0 && !data.present) return <NoSecondFactor />;
  const isOpen = data.present && !unseen;
  entered.current ||= isOpen;
  return (
    <>
      {isOpen ? null : (
        <ConfirmForm again={entered.current} email={data.email} factors={data.secondFactors} />
      )}
      {entered.current ? (
        <div className="c-inside" hidden={!isOpen}>
          <OperatorProvider value={{ ...data, id }}>{children}</OperatorProvider>
        </div>
      ) : null}
    </>
  );
}

/** Removes everything an operator read once they leave. */
function useForgetOnLeaving(id: string | null): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== null && id === null) void clearCache();
    before.current = id;
  }, [id]);
}

const leave = () => void consoleAuth.signOut().catch(() => {});

function NoOperator() {
  const user = useUser();
  return (
    <SignInPage
      title="No access"
      heading="This account can't open the console"
      lead={`You're signed in as ${user?.email}, which isn't an operator's account. An owner appoints operators.`}
    >
      <Button kind="go" full onClick={leave}>
        Use another account
      </Button>
      <a className="btn quiet full" href="/">
        Go to Nearhand
      </a>
    </SignInPage>
  );
}

function NoSecondFactor() {
  return (
    <SignInPage
      title="Second step needed"
      heading="Set up a second step first"
      lead="Operators confirm who they are with a passkey or a code from an authenticator app. Set one up in your account settings, then come back."
    >
      <a className="btn go full" href="/account-settings">
        Open account settings
      </a>
      <Button kind="quiet" full onClick={leave}>
        Log out
      </Button>
    </SignInPage>
  );
}

function SignInForm() {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const action = useAction(authText);
  const form = useFormModel({
    id: 'operator-sign-in',
    focusProblems: true,
    start: () => ({ email: '', password: '' }),
    check: ({ email, password }): { email?: string; password?: string } => ({
      email: /^\S+@\S+$/.test(email.trim()) ? undefined : 'Enter your email address.',
      password: password === '' ? 'Enter your password.' : undefined,
    }),
  });
  if (step === 'code') return <SignInCodeForm onOver={() => setStep('password')} />;

  const send = async ({ email, password }: { email: string; password: string }) => {
    await action.run(async () => {
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
    <SignInPage
      title="Log in"
      heading="Log in to the console"
      lead="For Nearhand's staff, with your own account and its second step."
    >
      <Form onSubmit={() => void form.submit(send)}>
        <Refused text={action.refusal} />
        <TextInput
          {...form.textField('email')}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailMax}
        />
        <PasswordInput {...form.textField('password')} label="Password" autoComplete="current-password" />
        <Button kind="go" full type="submit" busy={action.busy}>
          Log in
        </Button>
      </Form>
      <PasskeyButton
        action="Use a passkey"
        busy={action.busy}
        onUse={() => void action.run(() => unlessCancelled(consoleAuth.signInWithPasskey))}
      />
    </SignInPage>
  );
}
