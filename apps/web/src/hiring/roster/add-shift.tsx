import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { addDays, daysPerWeek } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { formatTime, joined } from '../../lib/words/format.ts';
import { clockIn, plainTime } from '../../lib/words/zoned-time.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useJobTemplates } from '../job-templates/job-templates.api.ts';
import { PostForm, type ShiftSource, TemplateRow } from '../job-templates/post-template.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { type DayShift, kindsOf, withDay } from './roster.rules.ts';

/** The day of a new shift, and the role of the tapped row. */
export type AddAt = { day: string; title: string | null };

type AddShiftProps = {
  business: Business;
  /** The shifts of the week, of the chosen branch. */
  shifts: readonly DayShift[];
  /** The first day of that week. */
  first: string;
  branchId: string | null;
  at: AddAt | null;
  onClose: () => void;
};

/** Posts a shift like one of this week (or the week before, in an empty one) or from a template. */
export function AddShiftSheet({ at, onClose, ...props }: AddShiftProps) {
  const { t } = useLingui();
  return (
    <Sheet open={at !== null} onClose={onClose} title={t`Add shift`}>
      {at ? <PickKind {...props} at={at} onDone={onClose} /> : null}
    </Sheet>
  );
}

type Props = Omit<AddShiftProps, 'at' | 'onClose'> & { at: AddAt; onDone: () => void };
type Picked = { templateId: string } | { jobId: string } | 'nothing' | null;

function PickKind({ business, shifts, first, branchId, at, onDone }: Props) {
  const { t } = useLingui();
  const [choice, setChoice] = useState<Picked>(null);
  const before = useQuery(
    apiQuery.roster.week.queryOptions({
      input: { businessId: business.id, from: addDays(first, -daysPerWeek) },
      enabled: shifts.length === 0,
      ...neverPersist,
    }),
  );
  const earlier = (before.data?.shifts ?? []).filter(
    ({ branch }) => branchId === null || branch?.id === branchId,
  );
  const kinds = kindsOf(shifts.length > 0 ? shifts : earlier.map((shift) => withDay(shift)));
  const ofRow = kinds.filter(({ title }) => at.title === null || title === at.title);
  const { data: templates = [] } = useJobTemplates(business.id);
  // A row with one kind of shift leaves nothing to pick.
  const only = at.title !== null && ofRow.length === 1 ? ofRow[0] : undefined;
  const start = choice ?? (only ? { jobId: only.jobId } : 'nothing');
  const form = { business, day: at.day, onDone, onBack: () => setChoice('nothing') };
  const like = kinds.find(({ jobId }) => start !== 'nothing' && 'jobId' in start && jobId === start.jobId);
  if (like) return <LikeShift like={like} {...form} />;
  const template = templates.find(
    ({ id }) => start !== 'nothing' && 'templateId' in start && id === start.templateId,
  );
  if (template) return <PostForm source={{ ...template, templateId: template.id }} {...form} />;
  return (
    <>
      {shifts.length === 0 && before.isPending ? <RowsSkeleton count={2} /> : null}
      {ofRow.length > 0 ? (
        <>
          <h3 className="flabel">{shifts.length > 0 ? t`Planned this week` : t`Planned the week before`}</h3>
          <Card flush>
            {ofRow.map(({ jobId, title, branch, startsAt, endsAt, timeZone, headCount }) => (
              <ListRow
                key={jobId}
                lead={<IconSign icon="copy" />}
                title={title}
                note={joined(
                  `${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)}`,
                  branch?.name,
                  t`${plural(headCount, { one: '# person', other: '# people' })}`,
                )}
                onClick={() => setChoice({ jobId })}
              />
            ))}
          </Card>
        </>
      ) : null}
      {templates.length > 0 ? (
        <>
          <h3 className="flabel mt4">{t`Templates`}</h3>
          <Card flush>
            {templates.map((entry) => (
              <TemplateRow
                key={entry.id}
                template={entry}
                onClick={() => setChoice({ templateId: entry.id })}
              />
            ))}
          </Card>
        </>
      ) : null}
      <div className="mt4">
        <Card flush>
          <ListRow
            lead={<IconSign icon="plus" />}
            title={t`New kind of shift`}
            note={<Trans>Write its role, text, place and pay.</Trans>}
            to={`/create-job?day=${at.day}`}
          />
        </Card>
      </div>
    </>
  );
}

function LikeShift({
  like,
  ...form
}: {
  like: DayShift;
  business: Business;
  day: string;
  onDone: () => void;
  onBack: () => void;
}) {
  const { t } = useLingui();
  const query = useJob(like.jobId);
  return (
    <QueryState query={query} loading={<RowsSkeleton count={3} />} errorTitle={t`We couldn't load the job`}>
      {(job) => <PostForm key={job.id} source={sourceOf(job, like)} {...form} />}
    </QueryState>
  );
}

function sourceOf(job: Job, { branch }: DayShift): ShiftSource {
  const clockOf = (at: string | null) => (at === null ? null : plainTime(clockIn(at, job.timeZone).time));
  return {
    jobId: job.id,
    name: job.title,
    title: job.title,
    category: job.category,
    branch,
    payMinor: job.pay.minor === 0 ? null : job.pay.minor,
    currency: job.pay.currency,
    breakMinutes: job.breakMinutes,
    breakPaid: job.breakPaid,
    instantHire: job.instantHire,
    timeZone: job.timeZone,
    from: clockOf(job.startsAt),
    to: clockOf(job.endsAt),
    headCount: job.headCount,
  };
}
