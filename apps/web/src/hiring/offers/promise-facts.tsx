import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { workLimits } from '@nearhand/contract/work/limits';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatMinutes } from '../../lib/words/format.ts';
import { Fact } from '../../ui/card.tsx';

const { freeCancelMinutes } = workLimits;

/**
 * Says what cancelling means for a shift that is already too near to cancel in time; null while that is ahead.
 * @param lateHours the hours before the start from which cancelling counts as late
 */
export function lateCancelText(startsAt: string | null, lateHours: number, now: Date): string | null {
  const ahead = startsAt === null ? 0 : Date.parse(startsAt) - now.getTime();
  if (ahead <= 0 || ahead > lateHours * hourMs) return null;
  const time = formatMinutes(Math.max(1, Math.floor(ahead / minuteMs)));
  return t`Starts in ${time}: cancelling counts as late, except in the first ${freeCancelMinutes} minutes`;
}

/** The pay of a worker who is sent home, and their duty to confirm, before they are booked (ADR 388). */
export function PromiseFacts({
  minimumMinutes,
  confirmBy,
  timeZone,
  eachShift = false,
}: {
  minimumMinutes: number | null | undefined;
  confirmBy: string | null | undefined;
  timeZone: string;
  /** Each shift has its own deadline. */
  eachShift?: boolean;
}) {
  const { t } = useLingui();
  const now = useNow();
  return (
    <>
      {minimumMinutes ? (
        <Fact
          icon="timer"
          title={t`At least ${formatMinutes(minimumMinutes)} paid if they send you home`}
          note={t`Or the time you worked, if it’s longer. You have to be there on time.`}
        />
      ) : null}
      {eachShift || confirmBy ? (
        <Fact
          icon="calendar-check"
          title={
            eachShift || !confirmBy
              ? t`Confirm each shift by its deadline`
              : t`Confirm by ${formatDate(confirmBy, timeZone, now)}`
          }
          note={t`We ask you twice. If you don’t answer, the spot goes to someone else and it counts as a late cancellation.`}
        />
      ) : null}
    </>
  );
}
