import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useEffect, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatTime } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ClockRing } from '../../ui/rings.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Bar, Loading } from '../../ui/skeleton.tsx';
import './merchant.css';
import { lazyPart } from '../../lib/load-part.ts';
import { engagementsOf, useBusinessEngagements, useSiteCode } from './engagements.api.ts';

const Qr = lazyPart(() => import('./merchant-qr.tsx'));
const codeMs = 60_000;

/** The six digits of a place, to check in by: in a sheet, or over the whole screen of a tablet on the counter. */
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
  const open = jobId !== null;
  return (
    <>
      <Sheet open={open && !full} onClose={onClose} title={t`Code of the place`}>
        {open && !full ? (
          <>
            <Code businessId={businessId} jobId={jobId} title={title} />
            <div className="mt5">
              <Button kind="ink" full icon="qr-code" onClick={() => setFull(true)}>
                {t`Show on the whole screen`}
              </Button>
            </div>
          </>
        ) : null}
      </Sheet>
      <Dialog
        open={open && full}
        onClose={() => setFull(false)}
        className="site-full"
        label={t`Code of the place`}
      >
        {open && full ? (
          <>
            <IconButton icon="x" label={t`Close`} className="close" onClick={() => setFull(false)} />
            <Code businessId={businessId} jobId={jobId} title={title} awake />
          </>
        ) : null}
      </Dialog>
    </>
  );
}

type CodeProps = { businessId: string; jobId: string; title: string; awake?: boolean };

function Code({ businessId, jobId, title, awake = false }: CodeProps) {
  const { t } = useLingui();
  const query = useSiteCode(jobId);
  const now = useNow(1_000);
  useStayAwake(awake);
  const left = query.data ? Math.max(0, Date.parse(query.data.validUntil) - now.getTime()) : 0;
  const seconds = Math.ceil(left / 1_000);
  // A code that ran out while there was no network would only be refused: it is not shown.
  const code = query.data && left > 0 ? query.data.code : null;
  return (
    <div className="site-code">
      <p className="h-s break" dir="auto">
        {title}
      </p>
      {query.error ? (
        <Banner tone="wait" icon="wifi-slash" live>
          {errorText(query.error)}
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
            <ClockRing left={Math.min(1, left / codeMs)} size="s" />
            <span className="num">{t`New in ${seconds} s`}</span>
          </p>
        </>
      ) : query.error ? null : (
        <Loading label={t`Loading the code`}>
          <Bar width={80} tall />
        </Loading>
      )}
      <p className="mute">
        <Trans>Who cannot check in by position types these digits or points the camera at them.</Trans>
      </p>
      <LastIn businessId={businessId} jobId={jobId} />
    </div>
  );
}

/** Who has just come, so that both sides see that it worked. */
function LastIn({ businessId, jobId }: { businessId: string; jobId: string }) {
  const { t } = useLingui();
  const [last] = engagementsOf(useBusinessEngagements(businessId, { group: 'here', jobId }).data)
    .filter(({ status, checkedInAt }) => status === 'checked_in' && checkedInAt !== null)
    .sort((a, b) => Date.parse(b.checkedInAt ?? '') - Date.parse(a.checkedInAt ?? ''));
  const name = last && (last.worker.name || t`Somebody without a name`);
  const time = last?.checkedInAt && formatTime(last.checkedInAt, last.terms.timeZone);
  return <p aria-live="polite">{last ? t`${name} checked in at ${time}.` : null}</p>;
}

/** A tablet on the counter must not go dark; where the browser cannot do it, it does not. */
function useStayAwake(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let gone = false;
    const take = () => {
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock
        .request('screen')
        .then((taken) => {
          if (gone) void taken.release();
          else lock = taken;
        })
        .catch(() => {});
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', take);
      void lock?.release().catch(() => {});
    };
  }, [on]);
}
