import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useOnline } from '../../lib/device/online.ts';
import { useResend } from '../../lib/pages/use-resend.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { cacheEngagement } from '../engagements/engagements.api.ts';
import { flushAttendance, useQueuedAttendance } from './attendance.api.ts';

const againMs = 10_000;
/** While online the screen sends its own events first. */
const screenFirstMs = 1_500;

/** Sends queued attendance events from any screen. Mounted once by the app. */
export default function AttendanceOutbox() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const user = useUser();
  const online = useOnline();
  const open = useQueuedAttendance().filter(({ refusal }) => refusal === null).length;

  const flush = async () => {
    const results = await flushAttendance();
    for (const { entry, engagement, refusal } of results) {
      if (engagement) cacheEngagement(engagement);
      else void queryClient.invalidateQueries({ queryKey: apiQuery.engagements.key() });
      if (refusal !== null)
        showToast(t`Your check-in or check-out for ${entry.title} wasn't accepted`, {
          label: t`See it`,
          run: () => navigate(`/tabs/menu/my-work/engagement/${entry.engagementId}`),
        });
    }
    const acceptedResults = results.filter(({ refusal }) => refusal === null);
    if (acceptedResults.length > 0)
      showToast(t`Your recorded times for ${acceptedResults.at(-1)?.entry.title ?? ''} were sent`);
  };
  useResend(online && user?.emailVerified === true && open > 0, flush, againMs, screenFirstMs);
  return null;
}
