import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { PasswordInput, TextInput } from '../../ui/controls/inputs.tsx';
import { emailProblem, newPasswordProblem, passwordHint, passwordProblem } from './sign-in-fields.ts';

/** The email and password fields' state. The ids distinguish two forms on one page. */
export function useCredentials(id: 'login' | 'register', knownEmail = '') {
  const form = useFormModel({
    id,
    focusProblems: true,
    start: () => ({ email: knownEmail, password: '' }),
    check: ({ email, password }) => ({
      ...fieldProblem('email', emailProblem(email)),
      ...fieldProblem('password', (id === 'register' ? newPasswordProblem : passwordProblem)(password)),
    }),
  });
  return {
    ...form,
    forgetPassword: () => form.reset({ email: form.values.email, password: '' }),
    /** Returns the email, or null with the problem shown, for steps without a password. */
    emailAlone: () => {
      const problem = emailProblem(form.values.email);
      if (problem) form.refuse({ fields: { email: problem } });
      return problem ? null : form.values.email.trim();
    },
  };
}

const fieldProblem = (field: string, problem: string | undefined) => (problem ? { [field]: problem } : {});

export function CredentialFields({
  form,
  isNew = false,
  fixedEmail = false,
}: {
  form: ReturnType<typeof useCredentials>;
  isNew?: boolean;
  /** Set for an invitation, which only this address can accept. */
  fixedEmail?: boolean;
}) {
  const { t } = useLingui();
  const { values } = form;
  const emailHelp = () => {
    if (fixedEmail) return t`Your invitation is for this address. We'll send you a link to verify it.`;
    return isNew ? t`We'll send you a link to verify it.` : undefined;
  };
  return (
    <>
      <TextInput
        {...form.textField('email')}
        label={t`Email`}
        help={emailHelp()}
        readOnly={fixedEmail}
        type="email"
        name="email"
        autoComplete={isNew ? 'email' : 'username'}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
      />
      <PasswordInput
        {...form.textField('password')}
        label={t`Password`}
        help={isNew ? passwordHint(values.password) : undefined}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
      />
    </>
  );
}
