import { Trans, useLingui } from '@lingui/react/macro';
import { joinTeamPath } from '@nearhand/contract/app-paths';
import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { replaceForward } from '../../lib/pages/go-back.ts';
import { invitationTokenOf, nextOf, withNext } from '../../lib/pages/next-path.ts';
import { session } from '../../lib/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { TermsLine } from '../terms-of-use/terms-line.tsx';
import { saveAcceptedTerms, storeAcceptedTerms } from '../terms-of-use/terms-of-use.api.ts';
import { showAuthError } from './auth-alert.ts';
import { CredentialFields, useCredentials } from './credentials.tsx';
import { confirmByInvitation, storeReturnPath, useOpenedInvitation } from './sign-in.api.ts';
import { SocialButtons } from './social-buttons.tsx';
import { WhySignIn } from './why-sign-in.tsx';
import './sign-in.css';

/** Creates the account and continues with the steps that need no verified email (spec §4), or an invitation. */
export default function RegisterScreen() {
  const { t } = useLingui();
  const token = invitationTokenOf(useLocation().search);
  const invitation = useOpenedInvitation(token ?? '', token !== null);
  const name = invitation.data?.businessName;
  return (
    <Screen
      title={t`Create account`}
      lead={
        name ? t`Then you can join ${name}. It's free.` : t`One account to find work and to hire. It's free.`
      }
      back="/getting-started"
      width="narrow"
      rings
    >
      {invitation.isLoading ? (
        <PageSkeleton />
      ) : (
        <RegisterForm invitedEmail={invitation.data?.email ?? null} />
      )}
    </Screen>
  );
}

function RegisterForm({ invitedEmail }: { invitedEmail: string | null }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { search } = useLocation();
  const credentialsForm = useCredentials('register', invitedEmail ?? '');
  const [busy, setBusy] = useState<string | null>(null);

  const create = async ({ email: typed, password }: { email: string; password: string }) => {
    // Without this part, such as after a deploy, the address is used as typed.
    const email =
      invitedEmail ??
      (await import('./email-typo.ts').then(
        ({ confirmedEmail }) => confirmedEmail(typed.trim()),
        () => typed.trim(),
      ));
    if (email === null) return;
    credentialsForm.change({ email });
    setBusy(t`Creating your account...`);
    try {
      const account = await auth().createAccount(email, password);
      storeAcceptedTerms(termsInForce, account.id);
      // On failure the terms stay on the device until a later start saves them.
      void saveAcceptedTerms().catch(() => {});
    } catch (failure) {
      setBusy(null);
      // Without this part, such as after a deploy, the alert alone shows the reason.
      const part = await import('./refused-credentials.ts')
        .then(({ refusedCredentials, isExplainedAtField, resetTakenPassword }) => ({
          fields: refusedCredentials(failure),
          isExplained: isExplainedAtField(failure),
          resetTakenPassword,
        }))
        .catch(() => null);
      credentialsForm.refuse({ fields: part?.fields ?? {} });
      if (part?.isExplained) return;
      const isTaken = failure instanceof AuthError && failure.code === 'auth/email-already-in-use';
      const buttons = isTaken
        ? [
            { value: 'login', label: t`Log in` },
            ...(part ? [{ value: 'reset', label: t`Reset password` }] : []),
            { value: 'back', label: t`Go back` },
          ]
        : [{ value: 'again', label: t`Try again` }];
      const choice = await showAuthError('create', failure, { buttons });
      if (choice === 'login') navigate(withNext('/login', search), replaceForward);
      if (choice === 'reset') await part?.resetTakenPassword(email);
      return;
    }
    const token = invitationTokenOf(search);
    const next = nextOf(search);
    try {
      // An invitation that came by mail proves the address, so that no other mail is needed.
      const isProven = token !== null && invitedEmail !== null && (await confirmByInvitation(token));
      if (!isProven) {
        if (next !== null) void storeReturnPath(next);
        await auth().sendEmailVerification();
      }
    } catch (failure) {
      setBusy(null);
      await showAuthError('verify', failure);
    }
    setBusy(null);
    credentialsForm.forgetPassword();
    // Replaces the page of the invitation where the guard has opened it for the proven address.
    if (token) navigate(joinTeamPath(token), { replace: session.user()?.emailVerified === true });
    else navigate(withNext('/complete-signup', search));
  };

  return (
    <Form className="sign-in" onSubmit={() => void credentialsForm.submit(create)}>
      {invitedEmail === null ? <WhySignIn /> : null}
      <CredentialFields form={credentialsForm} isNew fixedEmail={invitedEmail !== null} />
      <TermsLine />
      <Button kind="go" full type="submit" needsNetwork>
        {t`Create account`}
      </Button>
      <SocialButtons onBusy={(on) => setBusy(on ? t`Signing in...` : null)} />
      <p className="sign-in-foot sm mute">
        <Trans>
          Have an account?{' '}
          <Link className="link" to={withNext('/login', search)}>
            Log in
          </Link>
        </Trans>
      </p>
      <Busy text={busy} />
    </Form>
  );
}
