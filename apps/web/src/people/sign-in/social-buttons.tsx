import { useLingui } from '@lingui/react/macro';
import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { useLocation, useNavigate } from 'react-router';
import { auth } from '../../lib/api/auth-provider.ts';
import { isInAppBrowser, isNative, nativeKind } from '../../lib/device/platform.ts';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { nextOf } from '../../lib/pages/next-path.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { copyLink } from '../../ui/overlays/share-link.ts';
import { TermsLine } from '../terms-of-use/terms-line.tsx';
import { storeAcceptedTerms } from '../terms-of-use/terms-of-use.api.ts';
import { showSocialError } from './auth-alert.ts';
import { useSignInOptions } from './sign-in.api.ts';
import './sign-in.css';

/** Buttons of the configured providers (spec §7, ADR 13). A native app needs a plugin (ADR 224). */
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
  const navigate = useNavigate();
  if (!options) return null;
  if (isNative() && !nativePlugin(options.firebase ? 'FirebaseAuthentication' : 'Browser')) return null;
  const { google, facebook, openId } = options;
  // Android has no Apple sign-in sheet, which Firebase would need.
  const hasApple = options.apple && !(options.firebase && nativeKind() === 'android');
  const provider = openId?.name ?? '';
  const isInApp = google && isInAppBrowser();
  if (!google && !facebook && !hasApple && !openId) return null;

  const go = async (provider: 'Google' | 'Facebook' | 'Apple' | 'OpenId') => {
    onBusy(true);
    storeAcceptedTerms(termsInForce, null);
    try {
      const next = nextOf(search) ?? '/';
      await auth()[`signInWith${provider}`](next);
      if (isNative()) navigate(`/loading?next=${encodeURIComponent(next)}`, { replace: true });
    } catch (failure) {
      onBusy(false);
      await showSocialError(failure);
    }
  };
  return (
    <div className="social">
      <p className="social-or xs mute">{t`or`}</p>
      {isInApp ? <OpenInBrowser /> : null}
      {google && !isInApp ? (
        <Button kind="out" full icon="google-logo" needsNetwork onClick={() => void go('Google')}>
          {t`Continue with Google`}
        </Button>
      ) : null}
      {facebook ? (
        <Button kind="out" full icon="facebook-logo" needsNetwork onClick={() => void go('Facebook')}>
          {t`Continue with Facebook`}
        </Button>
      ) : null}
      {hasApple ? (
        <Button kind="out" full icon="apple-logo" needsNetwork onClick={() => void go('Apple')}>
          {t`Continue with Apple`}
        </Button>
      ) : null}
      {openId ? (
        <Button kind="out" full icon="sign-in" needsNetwork onClick={() => void go('OpenId')}>
          {t`Continue with ${provider}`}
        </Button>
      ) : null}
      {terms ? <TermsLine social /> : null}
    </div>
  );
}

/** Google answers the browsers inside other apps with an error page. */
function OpenInBrowser() {
  const { t } = useLingui();
  return (
    <Banner tone="wait" icon="info">
      <p>{t`To continue with Google, open this page in your browser. Google doesn't allow it inside this app.`}</p>
      <div className="mt2">
        <Button kind="out" size="s" icon="copy" onClick={() => void copyLink(globalThis.location.href)}>
          {t`Copy link`}
        </Button>
      </div>
    </Banner>
  );
}
