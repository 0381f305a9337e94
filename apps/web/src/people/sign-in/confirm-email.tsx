import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth, isSecondStep } from '../../lib/api/auth-provider.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { session, useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { LoginForm } from './login-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { VerifyNotice } from './verify-notice.tsx';
import './sign-in.css';

/** Confirms the address from the mailed link. In another browser than the sign-up's, its password comes first. */
export default function ConfirmEmail({ code }: { code: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [failure, setFailure] = useState<unknown>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const [signInAs, setSignInAs] = useState<string | null>(null);
  const hasSent = useRef(false);
  const replacement = useAction();

  const confirm = async (options?: { replacePassword: boolean }) => {
    setFailure(null);
    try {
      const { signInFirst, resetToken } = await auth().confirmEmail(code, options);
      if (signInFirst) return setSignInAs(signInFirst);
      if (resetToken) {
        const query = new URLSearchParams({ reset: resetToken, verified: '1' });
        navigate(`/login?${query}`, { replace: true });
        return;
      }
      // A signed-in user is redirected right away and wouldn't read the page.
      if (session.user()?.emailVerified) showToast(t`Email verified`);
      setConfirmed(true);
    } catch (reason) {
      setFailure(reason);
    }
  };
  // Runs only once, though React may run an effect twice.
  useEffect(() => {
    if (hasSent.current) return;
    hasSent.current = true;
    void confirm();
  });

  if (isConfirmed) {
    return (
      <Screen title={t`Log in`} heading={t`Email verified`} back="/getting-started" width="narrow" rings>
        <LoginForm notice={t`Your email address is verified. You can log in now.`} />
      </Screen>
    );
  }
  if (signInAs && !failure) {
    const signIn = async (password: string) => {
      try {
        await auth().signIn(signInAs, password);
      } catch (reason) {
        // With the link, which is opened again after the second step.
        if (isSecondStep(reason)) return navigate(`/login${search}&second-step=1`, { replace: true });
        const isWrong = reason instanceof AuthError && reason.code === 'auth/invalid-credential';
        throw isWrong ? new AuthError('auth/wrong-password', reason) : reason;
      }
      await confirm();
    };
    return (
      <Screen
        title={t`Verification`}
        heading={t`Enter your password`}
        back="/getting-started"
        width="narrow"
        rings
      >
        <div className="sign-in">
          <PasswordForm
            lead={t`Enter the password of ${signInAs}.`}
            action={t`Verify email`}
            email={signInAs}
            send={signIn}
          />
          <div>
            <Button
              kind="text"
              needsNetwork
              busy={replacement.busy}
              onClick={() => void replacement.run(() => confirm({ replacePassword: true }))}
            >{t`Choose a new password instead`}</Button>
            <p className="sm mute">{t`You'll be signed out on all your devices.`}</p>
          </div>
        </div>
      </Screen>
    );
  }
  return (
    <Screen
      title={t`Verification`}
      heading={failure ? t`This link didn't work` : t`Verifying your email`}
      back="/getting-started"
      width="narrow"
      rings
    >
      {failure ? (
        <FailedLink failure={failure} onRetry={() => void confirm()} />
      ) : (
        <Loading>
          <p className="mute">{t`One moment.`}</p>
        </Loading>
      )}
    </Screen>
  );
}

function FailedLink({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  const user = useUser();
  const isOffline = failure instanceof AuthError && failure.code === 'auth/network-request-failed';
  return (
    <div className="sign-in">
      <Banner tone="bad" icon="warning-circle" live>
        {authText(failure)}
      </Banner>
      {isOffline ? (
        <Button kind="go" full needsNetwork onClick={onRetry}>
          {t`Try again`}
        </Button>
      ) : user && !user.emailVerified ? (
        <VerifyNotice email={user.email} />
      ) : (
        <>
          <p className="mute">{t`Log in, and you can send the email again.`}</p>
          <ButtonLink kind="go" full to="/login" replace>
            {t`Log in`}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
