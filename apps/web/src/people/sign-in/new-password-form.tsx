import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { AuthError, auth, isSecondStep } from '../../lib/api/auth-provider.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput } from '../../ui/controls/inputs.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { showAuthError } from './auth-alert.ts';
import { isExplainedAtField, refusedCredentials } from './refused-credentials.ts';
import { newPasswordProblem, passwordHint } from './sign-in-fields.ts';
import './sign-in.css';

export default function NewPasswordForm({ code }: { code: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useFormModel({
    id: 'reset',
    focusProblems: true,
    start: () => ({ password: '' }),
    check: (values) => {
      const problem = newPasswordProblem(values.password);
      return problem ? { password: problem } : {};
    },
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);

  /** Returns false where the login page is needed; the guard leaves this page after a sign-in. */
  const signedIn = async (email: string, password: string): Promise<boolean> => {
    try {
      await auth().signIn(email, password);
      return true;
    } catch (failure) {
      if (!isSecondStep(failure)) return false;
      navigate('/login?second-step=1', { replace: true });
      return true;
    }
  };

  const send = async ({ password }: { password: string }) => {
    setBusy(t`Changing password....`);
    try {
      const email = await auth().confirmPasswordReset(code, password);
      if (email !== null && (await signedIn(email, password))) return;
      setBusy(null);
      setSaved(true);
    } catch (failure) {
      setBusy(null);
      form.refuse({ fields: refusedCredentials(failure) });
      if (isExplainedAtField(failure)) return;
      const spent =
        failure instanceof AuthError &&
        (failure.code === 'auth/invalid-action-code' || failure.code === 'auth/expired-action-code');
      const buttons = [
        spent ? { value: 'link', label: t`Request a new link` } : { value: 'again', label: t`Try again` },
        ...(spent ? [{ value: 'close', label: t`Close` }] : []),
      ];
      const choice = await showAuthError('reset', failure, { buttons });
      if (choice === 'link') navigate('/login', { replace: true });
    }
  };

  if (isSaved) {
    return (
      <div className="sign-in">
        <Banner tone="good" icon="check-circle" live>
          {t`Your new password is set. Log in to continue.`}
        </Banner>
        <ButtonLink kind="go" full to="/login" replace>
          {t`Log in`}
        </ButtonLink>
      </div>
    );
  }
  return (
    <Form className="sign-in" onSubmit={() => void form.submit(send)}>
      <PasswordInput
        {...form.textField('password')}
        label={t`New password`}
        help={passwordHint(form.values.password)}
        autoComplete="new-password"
      />
      <Button kind="go" full type="submit" needsNetwork>
        {t`Set new password`}
      </Button>
      <Busy text={busy} />
    </Form>
  );
}
