import { t } from '@lingui/core/macro';
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

/** The page that needs an account, as far as its address says. `saves`: the visit there saves a job or a search. */
const pageOf = (path: string) => ({
  isJob: path.startsWith('/job-desc/'),
  applies: path.startsWith('/job-apply-form/'),
  saves: new URLSearchParams(path.split('?')[1]).has(saveParameter),
});
type Page = ReturnType<typeof pageOf>;

function verifyText({ isJob, applies }: Page): string {
  if (isJob) return t`Verify your email to see this job.`;
  return applies ? t`Verify your email to apply for this job.` : t`Verify your email to open this page.`;
}

function loginText({ isJob, applies, saves }: Page): string {
  if (applies) return t`Log in or create an account to apply for this job.`;
  if (isJob)
    return saves
      ? t`Log in or create an account to save this job.`
      : t`Log in or create an account to see this job.`;
  return saves
    ? t`Log in or create an account to save this search.`
    : t`Log in or create an account to open this page.`;
}

export function WhySignIn() {
  const { t: say } = useLingui();
  const user = useUser();
  const inviter = useInviter();
  const next = nextOf(useLocation().search);
  const invited =
    inviter && !user ? (
      <Banner tone="here" icon="user-plus">{say`${inviter} invited you to Nearhand.`}</Banner>
    ) : null;
  if (!next) return invited;
  const page = pageOf(next);
  const { isJob, applies, saves } = page;
  const open = {
    '/help-center': { path: '/tabs/menu/help', label: say`Get help without an account` },
    '/toc': { path: '/tabs/menu/terms', label: say`Read the terms without an account` },
  }[next.split(/[?#]/)[0] ?? ''];
  // Someone logged in reads the request to verify their email on the same page.
  if (user && !isJob && !applies && !open) return null;
  // Guests can open the tabs, so someone who comes from one chose to create an account.
  if (next.startsWith('/tabs/') && !saves) return invited;
  return (
    <>
      {invited}
      <Banner tone="here" icon={isJob || applies ? 'briefcase' : 'info'}>
        {user ? verifyText(page) : loginText(page)}
        {isJob || applies ? (
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
