import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { nextOf, withNext } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Steps } from '../../ui/steps.tsx';
import './profiles.css';

/** True if the person signs up to apply for a job, so that nobody has to ask what brings them here. */
export const signsUpToApply = (search: string): boolean =>
  nextOf(search)?.startsWith('/job-apply-form/') ?? false;

/** Asks to verify the email, in the words of the specification. Empty once it is verified, and for guests. */
export function VerifyBanner() {
  const { t } = useLingui();
  const user = useUser();
  const { pathname, search } = useLocation();
  if (!user || user.emailVerified) return null;
  const here = withNext(pathname, search);
  return (
    <Banner tone="wait" icon="envelope-simple" live>
      <p>{t`Verify your email, and then proceed to log in. Check your inbox for a verification email.`}</p>
      <p className="sm mt1 wrap-any">{user.email}</p>
      <p className="sm mt1">
        {t`Once you’ve verified, you carry on here.`}{' '}
        <Link className="link" to={`/getting-started?next=${encodeURIComponent(here)}`}>
          {t`Wrong address?`}
        </Link>
      </p>
    </Banner>
  );
}

export function SignUpProgress({ now }: { now: 1 | 2 }) {
  return (
    <div className="sign-up-progress">
      <Steps now={now} total={2} />
    </div>
  );
}
