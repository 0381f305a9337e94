import { useLingui } from '@lingui/react/macro';
import { termsInForce } from '@nearhand/contract/people/terms-of-use.rules';
import { useLocation } from 'react-router';
import { auth } from '../../lib/api/auth-port.ts';
import { isNative } from '../../lib/device/platform.ts';
import { nextOf } from '../../lib/pages/next-path.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TermsLine } from '../terms-of-use/terms-line.part.tsx';
import { keepAcceptedTerms } from '../terms-of-use/terms-of-use.api.ts';
import { showSocialError } from './auth-alert.ts';
import { useSignInOptions } from './sign-in.api.ts';
import './sign-in.css';

/** Google and Facebook buttons if configured (spec §7). Both leave the page and return to /loading, which the native app can't. */
export function SocialButtons({
  onBusy,
  terms = false,
}: {
  onBusy: (busy: boolean) => void;
  /** Shows which terms a new account accepts, if nothing else on the screen does. */
  terms?: boolean;
}) {
  const { t } = useLingui();
  const { search } = useLocation();
  const options = useSignInOptions().data;
  if (isNative() || (!options?.google && !options?.facebook)) return null;

  const go = async (provider: 'Google' | 'Facebook') => {
    onBusy(true);
    keepAcceptedTerms(termsInForce, null);
    try {
      await auth()[`signInWith${provider}`](nextOf(search) ?? '/');
    } catch (failure) {
      onBusy(false);
      await showSocialError(failure);
    }
  };
  return (
    <div className="social">
      <p className="social-or xs mute">{t`or`}</p>
      {options.google ? (
        <Button kind="out" full icon="google-logo" onClick={() => void go('Google')}>
          {t`Continue with Google`}
        </Button>
      ) : null}
      {options.facebook ? (
        <Button kind="out" full icon="facebook-logo" onClick={() => void go('Facebook')}>
          {t`Continue with Facebook`}
        </Button>
      ) : null}
      {terms ? <TermsLine social /> : null}
    </div>
  );
}
