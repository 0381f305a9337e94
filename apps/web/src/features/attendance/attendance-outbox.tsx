import { useIonRouter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { useOnline } from '../../lib/online.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.tsx';
import { keepEngagement } from '../engagements/engagements.api.ts';
import { flushAttendance, useQueuedAttendance } from './attendance.api.ts';

const againMs = 15_000;

/** Sends the attendance that waits on the device, from wherever the person is by then. The app mounts it once. */
export default function AttendanceOutbox() {
  const { t } = useLingui();
  const router = useIonRouter();
  const client = useQueryClient();
  const user = useUser();
  const online = useOnline();
  const open = useQueuedAttendance().filter(({ refusal }) => refusal === null).length;

  const flush = async () => {
    const results = await flushAttendance();
    for (const { entry, engagement, refusal } of results) {
      if (engagement) keepEngagement(client, engagement);
      else void client.invalidateQueries({ queryKey: apiQuery.engagements.key() });
      if (refusal !== null)
        showToast(t`What you recorded for ${entry.title} was not accepted`, {
          label: t`See it`,
          run: () => router.push(`/tabs/menu/my-work/engagement/${entry.engagementId}`),
        });
    }
    const sent = results.filter(({ refusal }) => refusal === null);
    if (sent.length > 0) showToast(t`Your recorded times for ${sent.at(-1)?.entry.title ?? ''} were sent`);
  };
  const newest = useRef(flush);
  newest.current = flush;

  const ready = online && user?.emailVerified === true && open > 0;
  useEffect(() => {
    if (!ready) return;
    // What is recorded with a connection is sent by the screen itself; this comes after it.
    const first = setTimeout(() => void newest.current(), 1_500);
    const timer = setInterval(() => void newest.current(), againMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [ready]);
  return null;
}
