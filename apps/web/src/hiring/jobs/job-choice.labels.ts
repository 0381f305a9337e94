import type { Job, ListedJob } from '@nearhand/contract/hiring/jobs';
import { formatMoney, joined } from '../../lib/words/format.ts';
import { perUnit, whenText } from '../../lib/words/job.labels.ts';

export const jobChoice = (job: Job | ListedJob) => ({
  value: job.id,
  label: job.title,
  help: joined(whenText(job), perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit)),
});
