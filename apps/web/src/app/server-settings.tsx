import { hourMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../lib/api.ts';
import { learnSettings } from '../lib/settings.ts';

/** Asks once what the operator has set, and keeps it at hand for every screen. The app mounts it once. */
export function ServerSettings() {
  const { data } = useQuery(apiQuery.settings.get.queryOptions({ staleTime: hourMs }));
  useEffect(() => {
    if (data) learnSettings(data);
  }, [data]);
  return null;
}
