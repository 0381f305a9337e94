import { useLingui } from '@lingui/react/macro';
import { saveParameter } from '@nearhand/contract/app-paths';
import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { useInviter } from '../../lib/device/invite-code.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { nextOf } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Banner } from '../../ui/banner.tsx';
import { Link } from '../../ui/controls/link.tsx';

const JobName = lazyPart(() => import('./job-name.tsx'));

export function WhySignIn() {
  const { t } = useLingui();
  const user = useUser();
  const inviter = useInviter();
  const next = nextOf(useLocation().search);
  const invited =
    inviter && !user ? (
      <Banner tone="here" icon="user-plus">{t`${inviter} invited you to Nearhand.`}</Banner>
    ) : null;
  if (!next) return invited;
  const job = next.startsWith('/job-desc/');
  const saves = new URLSearchParams(next.split('?')[1]).has(saveParameter);
  const apply = next.startsWith('/job-apply-form/');
  const text = user
    ? job
      ? t`Verify your email to see this job.`
      : apply
        ? t`Verify your email to apply for this job.`
        : t`Verify your email to open this page.`
    : job
      ? saves
        ? t`Log in or create an account to save this job.`
        : t`Log in or create an account to see this job.`
      : apply
        ? t`Log in or create an account to apply for this job.`
        : saves
          ? t`Log in or create an account to save this search.`
          : t`Log in or create an account to open this page.`;
  const open = {
    '/help-center': { path: '/tabs/menu/help', label: t`Get help without an account` },
    '/toc': { path: '/tabs/menu/terms', label: t`Read the terms without an account` },
  }[next.split(/[?#]/)[0] ?? ''];
  // Someone logged in reads the request to verify their email on the same page.
  if (user && !job && !apply && !open) return null;
  // Guests can open the tabs, so someone who comes from one chose to create an account.
  if (next.startsWith('/tabs/') && !saves) return invited;
  return (
    <>
      {invited}
      <Banner tone="here" icon={job || apply ? 'briefcase' : 'info'}>
        {text}
        {job || apply ? (
          <Suspense fallback={<p>{'\u00a0'}</p>}>
            <JobName path={next} />
          </Suspense>
        ) : null}
        {open ? (
          <>
            {' '}
            <Link to={open.path}>{open.label}</Link>
          </>
        ) : null}
      </Banner>
    </>
  );
}
