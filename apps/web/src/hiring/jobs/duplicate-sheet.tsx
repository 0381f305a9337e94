import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatTime } from '../../lib/words/format.ts';
import { clockIn, plainTime, sameWeekdayAhead } from '../../lib/words/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import type { ActedJob, useJobActions } from './job-actions.ts';
import { acceptDoubts, sameShiftDoubts } from './job-doubts.ts';
import { useDuplicateJob } from './jobs.api.ts';

type Run = ReturnType<typeof useJobActions>['run'];

/** True for a shift with set hours. A copy keeps them, so the form asks only for the day. */
export const asksForDay = (job: ActedJob): boolean => job.kind === 'shift' && job.startsAt !== null;

type CopiedShift = Pick<Job, 'id' | 'title' | 'timeZone' | 'startsAt' | 'endsAt' | 'headCount'> & {
  businessId: string;
  branchId: string | null;
};

/** Copies a shift to another day, and publishes the copy or opens it as a draft. */
export function DuplicateSheet({
  job,
  open,
  onClose,
  run,
}: {
  job: CopiedShift;
  open: boolean;
  onClose: () => void;
  run: Run;
}) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`${job.title} on another day`}>
      {open ? <DayForm job={job} onDone={onClose} run={run} /> : null}
    </Sheet>
  );
}

function DayForm({ job, onDone, run }: { job: CopiedShift; onDone: () => void; run: Run }) {
  const { t } = useLingui();
  const now = useNow();
  const navigate = useNavigate();
  const duplicate = useDuplicateJob();
  const [refused, setRefused] = useState<string | null>(null);
  const { title, businessId, branchId, timeZone, startsAt, endsAt, headCount } = job;
  const today = dayIn(timeZone, now);
  const form = useFormModel<{ day: string }>({
    focusProblems: true,
    start: () => ({ day: startsAt === null ? '' : sameWeekdayAhead(startsAt, timeZone, now) }),
    check: ({ day }) =>
      day === ''
        ? { day: t`Choose a day.` }
        : day < today
          ? { day: t`This day has passed. Choose a later one.` }
          : {},
  });
  const hours = startsAt && endsAt ? `${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)}` : '';
  const clock = (instant: string) => plainTime(clockIn(instant, timeZone).time);
  const send = (publishes: boolean) =>
    form.submit(async ({ day }) => {
      setRefused(null);
      try {
        const hours = startsAt && endsAt ? { from: clock(startsAt), to: clock(endsAt) } : null;
        const doubts =
          publishes && hours ? await sameShiftDoubts(businessId, { title, branchId, ...hours }, [day]) : [];
        if (!(await acceptDoubts(doubts, t`Post another`))) return;
        const copy = await duplicate.mutateAsync({ jobId: job.id, day });
        onDone();
        if (publishes) await run('publish', { ...copy, applicants: 0 });
        else navigate(`/create-job?job=${copy.id}`);
      } catch (error) {
        setRefused(errorText(error));
      }
    });
  return (
    <Form onSubmit={() => void send(true)}>
      <p className="mute">
        <Trans>
          The same shift, {hours}, <Plural value={headCount} one="# person" other="# people" />.
        </Trans>
      </p>
      <TextInput {...form.textField('day')} type="date" label={t`Day`} min={today} />
      <Refused text={refused} />
      <div className="row g2 wrap sheet-act">
        <Button kind="quiet" needsNetwork busy={form.busy} onClick={() => void send(false)}>
          {t`Edit first`}
        </Button>
        <Button kind="go" className="grow" type="submit" needsNetwork busy={form.busy}>
          {t`Post shift`}
        </Button>
      </div>
    </Form>
  );
}
