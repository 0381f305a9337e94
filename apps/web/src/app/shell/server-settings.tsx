import { hourMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { learnSettings } from '../../lib/settings.ts';

/** Loads the operator's settings once for all screens. Mounted once by the app. */
export function ServerSettings() {
  const { data } = useQuery(apiQuery.settings.get.queryOptions({ staleTime: hourMs }));
  useEffect(() => {
    if (data) learnSettings(data);
  }, [data]);
  return null;
}
