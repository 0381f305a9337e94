import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { session, useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { LoginForm } from './login-form.tsx';
import { VerifyNotice } from './verify-notice.tsx';
import './sign-in.css';

/** Confirms the address from the mailed link. In another browser than the sign-up's, a new password comes first. */
export default function ConfirmEmail({ code }: { code: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const user = useUser();
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState(false);
  const hasSent = useRef(false);

  const confirm = async () => {
    setFailure(null);
    try {
      const reset = await auth().confirmEmail(code);
      if (reset !== null) {
        navigate(`/login?${new URLSearchParams({ reset, verified: '1' })}`, { replace: true });
        return;
      }
      // A signed-in user is redirected right away and wouldn't read it.
      if (session.user()?.emailVerified) showToast(t`Email verified`);
      setDone(true);
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

  if (done) {
    return (
      <Screen title={t`Log in`} heading={t`Email verified`} back="/getting-started" width="narrow" rings>
        <LoginForm notice={t`Your email address is verified. You can log in now.`} />
      </Screen>
    );
  }
  const isOffline = failure instanceof AuthError && failure.code === 'auth/network-request-failed';
  return (
    <Screen
      title={t`Verification`}
      heading={failure ? t`This link didn't work` : t`Verifying your email`}
      back="/getting-started"
      width="narrow"
      rings
    >
      {failure ? (
        <div className="sign-in">
          <Banner tone="bad" icon="warning-circle" live>
            {authText(failure)}
          </Banner>
          {isOffline ? (
            <Button kind="go" full needsNetwork onClick={() => void confirm()}>
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
      ) : (
        <Loading>
          <p className="mute">{t`One moment.`}</p>
        </Loading>
      )}
    </Screen>
  );
}
