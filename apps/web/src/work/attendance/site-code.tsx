import { t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { workLimits } from '@nearhand/contract/work/limits';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useOnline } from '../../lib/device/online.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatAgo, formatMinutes, formatTime } from '../../lib/words/format.ts';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { FaultBanner, OfflineBanner } from '../../ui/pages/states.tsx';
import '../business-engagements/business-work.css';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { engagementsOf, useBusinessEngagements } from '../engagements/engagements.api.ts';
import { codeAt, useSiteCode } from './attendance.api.ts';

const Qr = lazyPart(() => import('../../ui/art/qr.tsx'));
const codeMs = 60_000;

export function SiteCode({
  businessId,
  jobId,
  title,
  onClose,
}: {
  businessId: string;
  jobId: string | null;
  title: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [full, setFull] = useState(false);
  const isOpen = jobId !== null;
  return (
    <>
      <Sheet open={isOpen && !full} onClose={onClose} title={t`Check-in code`}>
        {isOpen && !full ? (
          <Code businessId={businessId} jobId={jobId} title={title}>
            <Button kind="ink" full icon="qr-code" onClick={() => setFull(true)}>
              {t`Show full screen`}
            </Button>
          </Code>
        ) : null}
      </Sheet>
      <Dialog
        open={isOpen && full}
        onClose={() => setFull(false)}
        className="site-full"
        label={t`Check-in code`}
      >
        {isOpen && full ? (
          <>
            <IconButton icon="x" label={t`Close`} className="close" onClick={() => setFull(false)} />
            <Code businessId={businessId} jobId={jobId} title={title} awake />
          </>
        ) : null}
      </Dialog>
    </>
  );
}

type CodeProps = {
  businessId: string;
  jobId: string;
  title: string;
  awake?: boolean;
  children?: ReactNode;
};

function Code({ businessId, jobId, title, awake = false, children }: CodeProps) {
  const { t } = useLingui();
  const query = useSiteCode(jobId);
  const now = useNow(1_000);
  const online = useOnline();
  useWakeLock(awake);
  const current = query.data ? codeAt(query.data, now) : null;
  const msLeft = current ? Math.max(0, current.validUntil.getTime() - now.getTime()) : 0;
  const seconds = Math.ceil(msLeft / 1_000);
  const code = current?.code ?? null;
  const asOf = formatAgo(new Date(query.dataUpdatedAt), now);
  const missing = code ? null : missingText(query, online);
  return (
    <div className="site-code">
      <p className="h-s break" dir="auto">
        {title}
      </p>
      {code && (!online || query.error) ? (
        !online || isNetworkError(query.error) ? (
          <OfflineBanner
            asOf={asOf}
            note={t`The code keeps changing and works. Check-ins show here when you're back online.`}
          />
        ) : (
          <FaultBanner title={errorText(query.error)} asOf={asOf} />
        )
      ) : missing ? (
        <Banner tone="wait" icon="wifi-slash" live>
          {missing}
        </Banner>
      ) : null}
      {code ? (
        <>
          <p className="site-digits" aria-live="polite">
            <span aria-hidden="true">
              {code.slice(0, 3)} {code.slice(3)}
            </span>
            <span className="vh">{[...code].join(' ')}</span>
          </p>
          <div className="site-qr">
            <Suspense fallback={null}>
              <Qr text={code} />
            </Suspense>
          </div>
          <p className="row g2" role="timer" aria-live="off">
            <ClockRing left={Math.min(1, msLeft / codeMs)} size="s" />
            <span className="num">{t`New in ${seconds} s`}</span>
          </p>
        </>
      ) : missing ? null : (
        <Loading label={t`Loading code`}>
          <SkeletonBar width={80} tall />
        </Loading>
      )}
      {missing ? null : (
        <p className="mute">
          <Trans>Anyone who can't check in by location can type or scan this code.</Trans>
        </p>
      )}
      <LastIn businessId={businessId} jobId={jobId} />
      {code && children ? <div className="mt5 site-code-more">{children}</div> : null}
    </div>
  );
}

function missingText(query: ReturnType<typeof useSiteCode>, online: boolean): string | null {
  if (online && !query.error) return null;
  if (online && !isNetworkError(query.error)) return errorText(query.error);
  return query.data
    ? text`You're offline, and the codes on this device are used up. Connect to get new ones.`
    : text`You're offline, and this code isn't on this device yet. Open it once with a connection, and it works offline for ${formatMinutes(workLimits.siteCodeAheadMinutes)}.`;
}

function LastIn({ businessId, jobId }: { businessId: string; jobId: string }) {
  const { t } = useLingui();
  const [last] = engagementsOf(useBusinessEngagements(businessId, { group: 'here', jobId }).data)
    .filter(({ status, checkedInAt }) => status === 'checked_in' && checkedInAt !== null)
    .sort((a, b) => Date.parse(b.checkedInAt ?? '') - Date.parse(a.checkedInAt ?? ''));
  const name = last && (last.worker.name || t`No name given`);
  const time = last?.checkedInAt && formatTime(last.checkedInAt, last.terms.timeZone);
  return <p aria-live="polite">{last ? t`${name} checked in at ${time}.` : null}</p>;
}

/** Keeps the screen of a counter tablet on, if the browser supports it. */
export function useWakeLock(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let unmounted = false;
    const take = () => {
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock
        .request('screen')
        .then((wakeLock) => {
          if (unmounted) void wakeLock.release();
          else lock = wakeLock;
        })
        .catch(() => {});
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => {
      unmounted = true;
      document.removeEventListener('visibilitychange', take);
      void lock?.release().catch(() => {});
    };
  }, [on]);
}
