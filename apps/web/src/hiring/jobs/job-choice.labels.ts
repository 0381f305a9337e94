import type { ListedJob } from '@nearhand/contract/hiring/jobs';
import { formatMoney, joined } from '../../lib/words/format.ts';
import { perUnit, whenWords } from '../../lib/words/job-words.ts';

export const jobChoice = (job: ListedJob) => ({
  value: job.id,
  label: job.title,
  help: joined(whenWords(job), perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit)),
});
