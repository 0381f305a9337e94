import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { auth } from '../../lib/auth-port.ts';
import { authText } from '../../lib/auth-text.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

/** For someone signed in whose email is not verified yet: what that stops, and the email again (spec §4). */
export function UnverifiedBanner() {
  const { t } = useLingui();
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);

  const resend = async () => {
    setSending(true);
    try {
      await auth().sendEmailVerification();
      setSent(true);
    } catch (failure) {
      await showAlert({
        tone: 'bad',
        title: t`Error`,
        subtitle: t`Verification`,
        message: authText(failure),
      });
    } finally {
      setSending(false);
    }
  };

  return sent ? (
    <Banner tone="good" icon="envelope-simple" live>
      {t`Email verification sent! Please check your inbox.`}
    </Banner>
  ) : (
    <Banner
      tone="wait"
      icon="envelope-simple"
      action={
        <Button kind="text" size="s" busy={sending} onClick={() => void resend()}>
          {t`Resend`}
        </Button>
      }
    >
      <p className="strong">{t`Verify your email address`}</p>
      <p>{t`Open the link we sent you. Until then you can look around, but not apply or hire.`}</p>
    </Banner>
  );
}
