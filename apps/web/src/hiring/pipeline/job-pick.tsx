import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { whenWords } from '../../lib/words/job-words.ts';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { useListedJobs } from '../jobs/jobs.api.ts';

const all = 'all';

/** One job or all of them: the choice is the address. */
export function JobPick({ businessId, jobId }: { businessId: string | undefined; jobId: string | null }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const listed = useListedJobs(businessId);
  const jobs = (listed.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ id, applicants, status }) => id === jobId || applicants > 0 || status === 'open',
  );
  return (
    <PickButton
      label={t`Job`}
      icon="briefcase"
      value={jobId ?? all}
      options={[
        { value: all, label: t`All jobs` },
        ...jobs.map((job) => ({
          value: job.id,
          label: job.title,
          ...(whenWords(job) ? { note: whenWords(job) as string } : {}),
        })),
      ]}
      onChange={(value) =>
        navigate(value === all ? '/all-job-applicants' : `/job-applicants/${value}`, { replace: true })
      }
    />
  );
}
