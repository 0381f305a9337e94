import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { PasswordInput, TextInput } from '../../ui/inputs.tsx';
import { emailProblem, focusFirst, passwordProblem } from './sign-in-fields.ts';

/** Email and password as they are typed. The ids tell two forms apart that are in the page at once. */
export function useCredentials(form: 'login' | 'register', known = '') {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<Record<string, string | undefined>>({});
  const ids = { email: `${form}-email`, password: `${form}-password` };
  const noneOf = (found: Record<string, string | undefined>): boolean => {
    setProblems(found);
    return !focusFirst(found);
  };
  return {
    ids,
    email: email.trim(),
    password,
    fields: { ids, email, password, problems, setEmail, setPassword },
    forgetPassword: () => setPassword(''),
    /** Whether both can be sent; if not, the first that cannot has the focus and says why. */
    areComplete: () =>
      noneOf({ [ids.email]: emailProblem(email), [ids.password]: passwordProblem(password) }),
    /** The same for the email alone. */
    emailIsComplete: () => noneOf({ [ids.email]: emailProblem(email) }),
  };
}

/** The two fields. A new account says what is asked of each. */
export function CredentialFields(props: ReturnType<typeof useCredentials>['fields'] & { isNew?: boolean }) {
  const { t } = useLingui();
  const { ids, problems, isNew = false } = props;
  return (
    <>
      <TextInput
        id={ids.email}
        label={t`Email`}
        help={isNew ? t`We send you a link to verify it.` : undefined}
        type="email"
        name="email"
        autoComplete={isNew ? 'email' : 'username'}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        value={props.email}
        error={problems[ids.email]}
        onChange={(event) => props.setEmail(event.target.value)}
      />
      <PasswordInput
        id={ids.password}
        label={t`Password`}
        help={isNew ? t`At least 6 characters.` : undefined}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        value={props.password}
        error={problems[ids.password]}
        onChange={(event) => props.setPassword(event.target.value)}
      />
    </>
  );
}
