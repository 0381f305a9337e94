import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { AuthError, auth, restored } from '../lib/api/auth-port.ts';
import { authText } from '../lib/api/auth-text.ts';
import { withNext } from '../lib/pages/next-path.ts';
import { startsFirstSteps } from '../people/profiles/first-steps.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { showAlert } from '../ui/overlays/alert.tsx';
import { BareScreen } from '../ui/pages/bare-screen.tsx';
import { Splash } from './splash.tsx';
import { useLeaveOnce } from './stack/leave-once.ts';

/** After this long, waiting needs an explanation. */
const longMs = 8_000;

/**
 * Waits for a social sign-in to return, or for the session of a cold deep link; then continues to the return path, or to the sign-up steps
 * for a new account.
 */
export default function LoadingScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const leave = useLeaveOnce();
  const [long, setLong] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs);
    restored()
      .then(async (known) => {
        // A native app signs in long after its start.
        const user = auth().currentUser() ?? known;
        if (!user) return '/login';
        if (!(await startsFirstSteps(user))) return '/getting-started';
        // Facebook doesn't say whether it verified the address (ADR 13). The next screens offer to send it again.
        if (!user.emailVerified)
          await auth()
            .sendEmailVerification()
            .catch(() => {});
        return '/complete-signup';
      })
      .catch(async (failure: unknown) => {
        // Spec §8: this text for every social failure, unless the code has a more helpful one.
        const known = failure instanceof AuthError && failure.code !== 'auth/internal-error';
        await showAlert({
          tone: 'bad',
          title: t`Error`,
          subtitle: t`Sign In`,
          buttons: [{ value: 'login', label: t`Go to log in` }],
          message: known ? authText(failure) : t`An error occurred. Please try to sign in again later.`,
        });
        return '/login';
      })
      .then(leave)
      .finally(() => clearTimeout(timer));
    return () => clearTimeout(timer);
  }, [t, leave]);

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
