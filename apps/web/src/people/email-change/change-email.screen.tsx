import { useLingui } from '@lingui/react/macro';
import type { EmailChangeStep } from '@nearhand/contract/people/email-change';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { useConfirmEmailChange, useUndoEmailChange } from './email-change.api.ts';

/**
 * Opened by mailed links: `?confirm=` confirms one address, `?undo=` reverts. Only the new address needs a
 * session.
 */
export default function ChangeEmailScreen() {
  const { t } = useLingui();
  const query = new URLSearchParams(useLocation().search);
  const confirm = query.get('confirm');
  const undo = query.get('undo');
  if (undo) return <Undo key={undo} token={undo} />;
  if (confirm) return <Confirm key={confirm} token={confirm} />;
  return (
    <Screen title={t`Change email`} back={null} width="narrow" rings>
      <Banner tone="bad" icon="warning-circle">
        {t`This link is incomplete. Open it from the email again.`}
      </Banner>
      <Onward />
    </Screen>
  );
}

function Confirm({ token }: { token: string }) {
  const { t } = useLingui();
  const { pathname, search } = useLocation();
  const confirm = useConfirmEmailChange();
  const [step, setStep] = useState<EmailChangeStep | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const hasSent = useRef(false);
  const send = async () => {
    setFailure(null);
    try {
      const step = await confirm.mutateAsync({ token });
      setStep(step);
      // Renews the session, which contains the old address.
      if (step.status === 'done')
        await auth()
          .idToken({ fresh: true })
          .catch(() => null);
    } catch (reason) {
      setFailure(reason);
    }
  };
  // Runs only once, though React may run an effect twice.
  useEffect(() => {
    if (hasSent.current) return;
    hasSent.current = true;
    void send();
  });
  const progress = () => {
    if (step === null) return t`Confirming your address`;
    return step.status === 'done' ? t`Your email is changed` : t`Address confirmed`;
  };
  const heading = failure ? t`This link didn't work` : progress();
  return (
    <Screen title={t`Change email`} heading={heading} back={null} width="narrow" rings>
      {failure ? (
        <>
          <Banner tone="bad" icon="warning-circle" live>
            {errorText(failure)}
          </Banner>
          {isApiError(failure, 'email-change/sign-in-first') ? (
            <ButtonLink
              kind="go"
              full
              className="mt4"
              to={`/login?next=${encodeURIComponent(pathname + search)}`}
              replace
            >
              {t`Log in`}
            </ButtonLink>
          ) : null}
          {isNetworkError(failure) ? (
            <Button kind="go" full className="mt4" needsNetwork onClick={() => void send()}>
              {t`Try again`}
            </Button>
          ) : null}
        </>
      ) : step ? (
        <Banner tone="good" icon="check-circle" live>
          {step.status === 'done'
            ? t`From now on, log in with ${step.newEmail}.`
            : step.waitingFor === 'old'
              ? t`Now follow the link that we emailed to your old address.`
              : t`Now follow the link that we emailed to ${step.newEmail}.`}
        </Banner>
      ) : (
        <Loading>
          <p className="mute">{t`One moment.`}</p>
        </Loading>
      )}
      {step || (failure && !isApiError(failure, 'email-change/sign-in-first')) ? <Onward /> : null}
    </Screen>
  );
}

/** Requires a press, because it signs out every device. */
function Undo({ token }: { token: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const undo = useUndoEmailChange();
  const action = useAction();
  const run = () =>
    action.run(async () => {
      let resetToken = '';
      // The undo ends this device's session too, and the login page would redirect a signed-in user.
      await signOut(
        () => navigate(`/login?reset=${encodeURIComponent(resetToken)}`, { replace: true }),
        async () => ({ resetToken } = await undo.mutateAsync({ token })),
      );
    });
  return (
    <Screen
      title={t`Undo the change of email`}
      heading={t`Undo the change of email?`}
      lead={t`Your account gets this address back. Every device is signed out, and you choose a new password.`}
      back={null}
      width="narrow"
      rings
    >
      <p>{t`The old password stops working, and so do accounts of other services, such as Google, that were linked since. You can undo a change for ${peopleLimits.emailUndoDays} days.`}</p>
      <div className="col g3 mt4">
        <Refused text={action.refusal} />
        <Button kind="go" full busy={action.busy} onClick={() => void run()}>
          {t`Undo and choose a password`}
        </Button>
      </div>
      <Onward />
    </Screen>
  );
}

function Onward() {
  const { t } = useLingui();
  const user = useUser();
  return (
    <div className="mt4">
      {user?.emailVerified ? (
        <ButtonLink kind="out" full to="/account-settings" replace>
          {t`Go to account settings`}
        </ButtonLink>
      ) : (
        <ButtonLink kind="out" full to="/login" replace>
          {t`Log in`}
        </ButtonLink>
      )}
    </div>
  );
}
