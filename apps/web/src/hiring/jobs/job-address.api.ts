import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { isNative } from '../../lib/device/platform.ts';
import { useUser } from '../../lib/session.ts';

/** Where a job's card leads: to its screen, or in browsers, for those whom its guard would stop, to the page that anyone can read. */
export function useJobAddress(): (job: Pick<JobCard, 'id' | 'title'>) => string {
  const verified = useUser()?.emailVerified === true;
  return (job) => (verified || isNative() ? `/job-desc/${job.id}` : publicJobPath(job));
}
