import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { joined } from '../../lib/words/format.ts';

const jobPath = /^\/job-(?:desc|apply-form)\/([\da-f-]{36})(?:[?#]|$)/;

/**
 * Names the job that a return path leads to, mostly from the cache of the job's page. It is loaded lazily, since
 * the login bundle is full.
 */
export default function JobName({ path }: { path: string }) {
  const jobId = jobPath.exec(path)?.[1] ?? '';
  const { data: job } = useQuery(
    apiQuery.jobs.get.queryOptions({ input: { jobId }, enabled: jobId !== '', retry: false }),
  );
  // Keeps its line, so that nothing below moves.
  return <p className="strong break">{job ? joined(job.title, job.business.name) : '\u00a0'}</p>;
}
