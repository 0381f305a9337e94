import { peopleLimits } from '@nearhand/contract/people/limits';
import type { SecondFactor } from '@nearhand/contract/people/sign-in';
import { useEffect, useState } from 'react';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CodeInput } from '../../ui/controls/code-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { consoleAuth } from '../console-auth.ts';
import { refetchAll } from './operator-session.ts';
import { confirmOperatorByPasskey, PasskeyButton, unlessCancelled } from './passkey-button.tsx';
import { SignInPage } from './sign-in-page.tsx';

type CodeProps = {
  action: string;
  send: (code: string, recovery: boolean) => Promise<void>;
  onOver: () => void;
};

function CodeForm({ action, send, onOver }: CodeProps) {
  const [recovery, setRecovery] = useState(false);
  const request = useAction(authText);
  const form = useFormModel({
    id: 'operator-code',
    focusProblems: true,
    start: () => ({ code: '' }),
    check: ({ code }): { code?: string } =>
      code.trim() === ''
        ? { code: recovery ? 'Enter a recovery code.' : 'Enter the code from your app.' }
        : {},
  });
  const submit = async ({ code }: { code: string }) => {
    await request.run(async () => {
      try {
        await send(code, recovery);
      } catch (failure) {
        form.reset({ code: '' });
        if (failure instanceof AuthError && failure.code === 'auth/invalid-multi-factor-session') {
          showToast('Too many wrong codes, or too much time. Log in again.');
          onOver();
        }
        throw failure;
      }
    });
  };
  return (
    <Form onSubmit={() => void form.submit(submit)}>
      <Refused text={request.refusal} />
      <CodeInput
        recovery={recovery}
        id={form.idOf('code')}
        label={recovery ? 'Recovery code' : 'Code'}
        help={
          recovery ? 'One of the codes you saved. Each works once.' : '6 digits. It changes every 30 seconds.'
        }
        autoFocus
        value={form.values.code}
        error={form.problems.code}
        onChange={(code) => form.change({ code })}
      />
      <Button kind="go" full type="submit" busy={request.busy}>
        {action}
      </Button>
      <Button
        kind="text"
        size="s"
        onClick={() => {
          form.reset({ code: '' });
          setRecovery(!recovery);
        }}
      >
        {recovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Button>
    </Form>
  );
}

export function SignInCodeForm({ onOver }: { onOver: () => void }) {
  const offered = usePasskeyInstead();
  const action = useAction(authText);
  return (
    <SignInPage
      title="Second step"
      heading="Enter your code"
      lead="Open your authenticator app for the code."
    >
      <CodeForm action="Log in" send={consoleAuth.answerCode} onOver={onOver} />
      <Refused text={action.refusal} />
      {offered ? (
        <PasskeyButton
          action="Use a passkey"
          busy={action.busy}
          onUse={() => void action.run(() => unlessCancelled(consoleAuth.answerWithPasskey))}
        />
      ) : null}
      <Button kind="quiet" full onClick={onOver}>
        Back
      </Button>
    </SignInPage>
  );
}

function usePasskeyInstead(): boolean {
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    void consoleAuth.canAnswerWithPasskey().then(setOffered, () => setOffered(false));
  }, []);
  return offered;
}

type ConfirmProps = { again: boolean; email: string; factors: readonly SecondFactor[] };

/** Asks for the second factor of a session that has not proved it, or was paused. */
export function ConfirmForm({ again, email, factors }: ConfirmProps) {
  const confirm = async (code: string, recovery: boolean) => {
    await consoleAuth.confirm(code, recovery);
    await refetchAll();
  };
  const byCode = factors.includes('code');
  return (
    <SignInPage
      title="Confirm it's you"
      heading="Confirm it's you"
      lead={
        again
          ? `The console asks again after ${peopleLimits.operatorIdleMinutes} minutes without work, and before a report to an authority. Your page is as you left it.`
          : `You're signed in as ${email}. The console asks for your second step in each session.`
      }
    >
      {byCode ? <CodeForm action="Confirm" send={confirm} onOver={consoleAuth.forget} /> : null}
      {factors.includes('passkey') ? <ConfirmByPasskey main={!byCode} /> : null}
      <Button kind="quiet" full onClick={() => void consoleAuth.signOut().catch(() => {})}>
        Log out
      </Button>
    </SignInPage>
  );
}

function ConfirmByPasskey({ main }: { main: boolean }) {
  const action = useAction((failure) =>
    failure instanceof AuthError ? authText(failure) : errorText(failure),
  );
  const confirm = () =>
    action.run(async () => {
      if (await unlessCancelled(confirmOperatorByPasskey)) await refetchAll();
    });
  if (main && !passkeysWork())
    return (
      <Banner tone="wait" icon="warning-circle">
        This browser can't use your passkey here. Open the console at its usual address, or in a browser that
        has your passkey.
      </Banner>
    );
  return (
    <>
      <Refused text={action.refusal} />
      <PasskeyButton action="Use a passkey" main={main} busy={action.busy} onUse={() => void confirm()} />
    </>
  );
}
