import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { nextOf } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';

/** Why a redirect to sign-in happened, in one sentence. The return path is in the address. */
export function WhySignIn() {
  const { t } = useLingui();
  const user = useUser();
  const next = nextOf(useLocation().search);
  if (!next) return null;
  const job = next.startsWith('/job-desc/');
  const apply = next.startsWith('/job-apply-form/');
  const text = user
    ? job
      ? t`Verify your email to see this job.`
      : apply
        ? t`Verify your email to apply for this job.`
        : t`Verify your email to open this page.`
    : job
      ? t`Log in or create an account to see this job.`
      : apply
        ? t`Log in or create an account to apply for this job.`
        : t`Log in or create an account to open this page.`;
  return (
    <Banner tone="here" icon={job || apply ? 'briefcase' : 'info'}>
      {text}
    </Banner>
  );
}
