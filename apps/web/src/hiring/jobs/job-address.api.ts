import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { language, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { isNative } from '../../lib/device/platform.ts';
import { useUser } from '../../lib/session.ts';

/** The link of a job's card: its screen, or in browsers the public page for users whom the guard would stop. */
export function useJobAddress(): (job: Pick<JobCard, 'id' | 'title'>) => string {
  const isVerified = useUser()?.emailVerified === true;
  const chosenLanguage = useDeviceSetting(language);
  const query = chosenLanguage === 'device' ? '' : `?lang=${chosenLanguage}`;
  return (job) => (isVerified || isNative() ? `/job-desc/${job.id}` : publicJobPath(job) + query);
}
