import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { auth } from '../../lib/api/auth-provider.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showAuthError } from './auth-alert.ts';
import { useSignInOptions } from './sign-in.api.ts';

/** The notice of spec §8 with Resend. It checks again when the page is shown. */
export function VerifyNotice({
  email,
  compact = false,
  note,
  correctAt,
}: {
  email: string;
  compact?: boolean;
  /** The text under the heading, for pages where the usual one is wrong. */
  note?: string;
  /** The page that changes a wrong address. */
  correctAt?: string;
}) {
  const { t } = useLingui();
  const [state, setState] = useState<'idle' | 'sending' | 'sent' | 'looking' | 'not-yet'>('idle');
  const mailbox = useSignInOptions().data?.mailboxPath;

  useEffect(() => {
    const look = () => {
      if (!document.hidden)
        void auth()
          .idToken({ fresh: true })
          .catch(() => null);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);

  const resend = async () => {
    setState('sending');
    try {
      await auth().sendEmailVerification();
      setState('sent');
    } catch (failure) {
      setState('idle');
      await showAuthError('verify', failure);
    }
  };
  const goOn = async () => {
    setState('looking');
    try {
      await auth().idToken({ fresh: true });
      setState('not-yet');
    } catch (failure) {
      setState('idle');
      await showAuthError('verify', failure);
    }
  };

  if (compact)
    return (
      <CompactNotice
        isSent={state === 'sent'}
        isSending={state === 'sending'}
        onResend={() => void resend()}
      />
    );
  return (
    <div className="col g3">
      <Banner tone={state === 'sent' ? 'good' : 'wait'} icon="envelope-simple" live>
        {state === 'sent' ? (
          <p>{t`Email verification sent! Please check your inbox.`}</p>
        ) : (
          <>
            <p className="strong">{t`Verify your email address`}</p>
            <p>
              {note ??
                t`Open the link we sent you. Until then you can look around, but you can't apply or hire.`}
            </p>
          </>
        )}
        <p className="sm mt1 wrap-any">{email}</p>
      </Banner>
      {state === 'not-yet' ? (
        <p className="sm mute" role="status">
          {t`Not verified yet. Open the link in the latest email, then try again.`}
        </p>
      ) : null}
      <div className="row wrap g2">
        <Button kind="ink" className="grow" busy={state === 'looking'} onClick={() => void goOn()}>
          {t`I've verified it`}
        </Button>
        <Button kind="out" className="grow" busy={state === 'sending'} onClick={() => void resend()}>
          {t`Resend`}
        </Button>
        {correctAt ? (
          <ButtonLink kind="text" full to={correctAt}>
            {t`Change address`}
          </ButtonLink>
        ) : null}
        {mailbox ? (
          <a className="btn text s full" href={mailbox} target="_blank" rel="noopener">
            {t`Open the development mailbox`}
          </a>
        ) : null}
      </div>
    </div>
  );
}

function CompactNotice({
  isSent,
  isSending,
  onResend,
}: {
  isSent: boolean;
  isSending: boolean;
  onResend: () => void;
}) {
  const { t } = useLingui();
  return isSent ? (
    <Banner tone="good" icon="envelope-simple" live>
      {t`Email verification sent! Please check your inbox.`}
    </Banner>
  ) : (
    <Banner
      tone="wait"
      icon="envelope-simple"
      action={
        <Button kind="text" size="s" busy={isSending} onClick={onResend}>
          {t`Resend`}
        </Button>
      }
    >
      <p className="strong">{t`Verify your email address`}</p>
      <p>{t`Open the link we sent you. Until then you can look around, but you can't apply or hire.`}</p>
    </Banner>
  );
}
