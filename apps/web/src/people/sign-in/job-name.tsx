import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { joined } from '../../lib/words/format.ts';

const jobPath = /^\/job-(?:desc|apply-form)\/([\da-f-]{36})(?:[?#]|$)/;

/**
 * Names the job of a return path. A part of its own, since the sign-in screens have no bytes left for it; it
 * reads what the job's page has cached.
 */
export default function JobName({ path }: { path: string }) {
  const jobId = jobPath.exec(path)?.[1] ?? '';
  const { data: job } = useQuery(
    apiQuery.jobs.get.queryOptions({ input: { jobId }, enabled: jobId !== '', retry: false }),
  );
  // Keeps its line, so that nothing below moves.
  return <p className="strong break">{job ? joined(job.title, job.business.name) : '\u00a0'}</p>;
}
