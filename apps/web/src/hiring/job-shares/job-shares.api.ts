import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';

/** What sharing a job brought, for its recruiters. */
export const useSharing = (jobId: string) =>
  useQuery(apiQuery.jobShares.overview.queryOptions({ input: { jobId }, ...unkept }));

/** `jobShares.poster`: a link to a poster as PDF. */
export const usePosterLink = () => useMutation(apiQuery.jobShares.poster.mutationOptions());
