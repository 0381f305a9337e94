import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { authText } from '../lib/api/auth.labels.ts';
import { AuthError, auth, isSecondStep, restoreSession } from '../lib/api/auth-provider.ts';
import { isNative } from '../lib/device/platform.ts';
import { withNext } from '../lib/pages/next-path.ts';
import { startsFirstSteps } from '../people/profiles/first-steps.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { showAlert } from '../ui/overlays/alert.tsx';
import { BareScreen } from '../ui/pages/bare-screen.tsx';
import { handOverLink, wayBackIn } from './native/open-url.ts';
import { Splash } from './splash.tsx';
import { useLeaveOnce } from './stack/use-navigate-once.ts';

const longMs = 8_000;

/**
 * Goes to the return path or sign-up once the session of a social sign-in (ADR 13) or a cold deep link is
 * available. In the phone's browser it returns to the app.
 */
export default function LoadingScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const leave = useLeaveOnce();
  const [long, setLong] = useState(false);
  const query = new URLSearchParams(search);
  // `app` and `back` are set in the browser that the app opened, `answer` in the app once the provider has responded.
  const handsOver = isNative() ? null : handOverLink(query);
  const page = isNative() ? wayBackIn(query) : null;
  const isPayment = query.get('app') === null;
  const answer = isNative() ? query.get('answer') : null;

  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs);
    if (handsOver) {
      globalThis.location.assign(handsOver);
      return () => clearTimeout(timer);
    }
    if (page !== null) {
      leave(page);
      return () => clearTimeout(timer);
    }
    (answer === null ? restoreSession() : auth().answerFromProvider(answer))
      .then(async (storedUser) => {
        const user = auth().currentUser() ?? storedUser;
        if (!user) return '/login';
        if (!(await startsFirstSteps(user))) return '/getting-started';
        // Facebook doesn't reveal whether it verified the address (ADR 13).
        if (!user.emailVerified)
          await auth()
            .sendEmailVerification()
            .catch(() => {});
        return '/complete-signup';
      })
      .catch(async (failure: unknown) => {
        if (isSecondStep(failure)) return '/login?second-step=1';
        // Spec §8: this text for every social failure, unless the code's own text is more helpful.
        const isKnownFailure = failure instanceof AuthError && failure.code !== 'auth/internal-error';
        await showAlert({
          tone: 'bad',
          title: t`Error`,
          subtitle: t`Sign In`,
          buttons: [{ value: 'login', label: t`Go to log in` }],
          message: isKnownFailure
            ? authText(failure)
            : t`An error occurred. Please try to sign in again later.`,
        });
        return '/login';
      })
      .then(leave)
      .finally(() => clearTimeout(timer));
    return () => clearTimeout(timer);
  }, [t, leave, answer, handsOver, page]);

  if (handsOver) {
    return (
      <BareScreen still>
        <Splash
          text={isPayment ? t`Go back to the app to continue.` : t`Go back to the app to finish signing in.`}
          waits={false}
        >
          <ButtonLink kind="ghost-pine" size="s" to={handsOver}>
            {t`Open the app`}
          </ButtonLink>
        </Splash>
      </BareScreen>
    );
  }

  return (
    <BareScreen still>
      <Splash text={long ? t`This is taking longer than usual.` : t`Signing in...`}>
        {long ? (
          <ButtonLink kind="ghost-pine" size="s" to={withNext('/login', search)} replace>
            {t`Go to log in`}
          </ButtonLink>
        ) : null}
      </Splash>
    </BareScreen>
  );
}
