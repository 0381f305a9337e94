import { t } from '@lingui/core/macro';
import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { joined } from '../../lib/words/format.ts';
import { payWords } from '../../lib/words/job-words.ts';
import { showToast } from '../../ui/overlays/toast.tsx';

/** Shares the job's public address by the device's share sheet, or copies it without one. */
export async function shareJob(job: Pick<JobCard, 'id' | 'title' | 'pay' | 'business'>): Promise<void> {
  const url = `${globalThis.location.origin}${publicJobPath(job, 'share')}`;
  const text = joined(job.title, payWords(job.pay).figure, job.business.name);
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: job.title, text, url });
      return;
    } catch (failure) {
      // Closing it without choosing is no failure.
      if (failure instanceof Error && failure.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast(t`Link copied.`);
  } catch {
    showToast(t`Couldn't copy the link. It's ${url}`);
  }
}
