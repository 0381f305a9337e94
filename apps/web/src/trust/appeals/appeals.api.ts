import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';

/** `appeals.create`. A repeat after a lost answer is the same appeal. */
export function useAppeal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendOnce('appeals.create', api.appeals.create as never) as (
      input: Parameters<typeof api.appeals.create>[0],
    ) => Promise<Sanction>,
    onSuccess: (sanction) => {
      const stored = apiQuery.sanctions.get.queryKey({ input: { sanctionId: sanction.id } });
      client.setQueryData(stored, sanction);
      refetchChanged(client, ['sanction'], stored);
    },
  });
}
