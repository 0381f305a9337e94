import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router-dom';
import { nextOf } from '../../lib/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';

/** For someone who was sent here by a screen that opens only after signing in: why, in one sentence. The way back is in the address. */
export function WhySignIn() {
  const { t } = useLingui();
  const user = useUser();
  const next = nextOf(useLocation().search);
  if (!next) return null;
  const job = next.startsWith('/job-desc/');
  const apply = next.startsWith('/job-apply-form/');
  const text = user
    ? job
      ? t`Verify your email to see this job; it opens right after.`
      : apply
        ? t`Verify your email to apply for this job; it opens right after.`
        : t`Verify your email to open this page; it opens right after.`
    : job
      ? t`Log in to see this job, or create an account; it opens right after.`
      : apply
        ? t`Log in to apply for this job, or create an account; it opens right after.`
        : t`Log in to open this page, or create an account; it opens right after.`;
  return (
    <Banner tone="here" icon={job || apply ? 'briefcase' : 'info'}>
      {text}
    </Banner>
  );
}
