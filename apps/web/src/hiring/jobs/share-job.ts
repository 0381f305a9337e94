import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { serverOrigin } from '../../lib/api/server-address.ts';
import { joined } from '../../lib/words/format.ts';
import { payText } from '../../lib/words/job.labels.ts';
import { shareLink } from '../../ui/overlays/share-link.ts';

export const shareJob = (job: Pick<JobCard, 'id' | 'title' | 'pay' | 'business'>): Promise<void> =>
  shareLink({
    title: job.title,
    text: joined(job.title, payText(job.pay).figure, job.business.name),
    url: new URL(publicJobPath(job, 'share'), serverOrigin()).href,
  });
