import { useLingui } from '@lingui/react/macro';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatMinutes } from '../../lib/words/format.ts';
import { Fact } from '../../ui/card.tsx';

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
