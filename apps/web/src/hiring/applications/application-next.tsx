import { t as text } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatMinutes, joined } from '../../lib/words/format.ts';
import { whenText } from '../../lib/words/job.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { joinMinutes } from '../interviews/interview.labels.ts';
import { useCanShowInterview, useInterview } from '../interviews/interviews.api.ts';
import { clockText } from './application.labels.ts';
import { useMyApplications } from './applications.api.ts';

type Props = { application: MyApplication };

export function EngagementLink({ application }: Props) {
  const { t } = useLingui();
  if (!application.engagementId) return null;
  return (
    <Card flush as="section" label={t`Booked job`}>
      <ListRow
        to={`/tabs/menu/my-work/engagement/${application.engagementId}`}
        lead={<Icon name="calendar-check" />}
        title={t`You're booked`}
        note={t`Address, check-in, hours and pay`}
      />
    </Card>
  );
}

export function InterviewCard({ application }: Props) {
  const { t } = useLingui();
  const { interview, job } = application;
  const canShow = useCanShowInterview();
  if (!interview) return null;
  const needsReply = interview.awaits === 'worker';
  const states: Record<InterviewStatus, { badge: string; tone?: Tone }> = {
    proposed: { badge: t`Waiting for their reply`, tone: 'wait' },
    scheduled: { badge: t`Scheduled`, tone: 'good' },
    reschedule_requested: { badge: t`Rescheduling`, tone: 'wait' },
    completed: { badge: t`Completed` },
    cancelled: { badge: t`Cancelled` },
    lapsed: { badge: t`Expired` },
    no_show_worker: { badge: t`Reported as missed`, tone: 'bad' },
    no_show_business: { badge: t`They didn't show up`, tone: 'bad' },
  };
  const modes = { in_person: t`In person`, phone: t`By phone`, video: t`By video` };
  const state = states[interview.status];
  return (
    <Card flush as="section" label={t`Interview`}>
      <ListRow
        to={`/interview?id=${interview.id}`}
        needsNetwork={!canShow(interview.id)}
        lead={
          <Icon
            name={
              interview.mode === 'phone' ? 'phone' : interview.mode === 'video' ? 'video-camera' : 'users'
            }
          />
        }
        title={t`Interview`}
        note={
          <>
            {joined(
              modes[interview.mode],
              interview.startsAt && formatDate(interview.startsAt, job.timeZone),
            )}
            {needsReply ? <span className="block">{replyByText(application)}</span> : null}
          </>
        }
        // The bar below has a button for it.
        end={needsReply ? undefined : <Badge tone={state.tone}>{state.badge}</Badge>}
      />
    </Card>
  );
}

/** The deadline for picking a time; null if none is open. */
function replyByText({ interview, job }: Pick<MyApplication, 'interview' | 'job'>): string | null {
  if (!interview?.answerBy) return null;
  return text`Reply by ${formatDate(interview.answerBy, job.timeZone)}, or the times expire.`;
}

export const needsTime = ({ interview }: MyApplication): boolean => interview?.awaits === 'worker';

export function InterviewsToPick({ applications }: { applications: readonly MyApplication[] }) {
  const { t } = useLingui();
  const canShow = useCanShowInterview();
  return (
    <>
      {applications.map(({ id, interview, job }) => (
        <Card key={id} flush as="article">
          <ListRow
            to={`/interview?id=${interview?.id ?? ''}`}
            needsNetwork={!canShow(interview?.id ?? '')}
            lead={<Icon name="calendar-check" />}
            title={
              interview?.status === 'proposed'
                ? t`Pick a time for your interview`
                : t`New interview times proposed`
            }
            note={
              <>
                {joined(job.title, job.business.name)}
                <span className="block">{t`For the job on ${whenText(job) ?? ''}`}</span>
                <span className="block">{replyByText({ interview, job })}</span>
              </>
            }
          />
        </Card>
      ))}
    </>
  );
}

const isArranged = ({ interview }: MyApplication, now: Date): boolean =>
  interview?.status === 'scheduled' &&
  interview.startsAt !== null &&
  now.getTime() < Date.parse(interview.startsAt) + 2 * hourMs;

/** An interview leads the screen this long before it begins, and until it ends. */
const soonMs = 12 * hourMs;

const isSoon = ({ interview }: MyApplication, now: Date): boolean =>
  Date.parse(interview?.startsAt ?? '') - now.getTime() <= soonMs;

function useArranged(): { soon: MyApplication[]; later: MyApplication[]; now: Date } {
  const now = useNow(15_000);
  const query = useMyApplications('live');
  const items = (query.data?.pages.flatMap((page) => page.items) ?? [])
    .filter((application) => isArranged(application, now))
    .sort((a, b) => (a.interview?.startsAt ?? '').localeCompare(b.interview?.startsAt ?? ''));
  return {
    soon: items.filter((application) => isSoon(application, now)),
    later: items.filter((application) => !isSoon(application, now)),
    now,
  };
}

/** The interviews of the next hours, on top of the screen as a shift is. */
export function InterviewsSoon() {
  const { t } = useLingui();
  const { soon, now } = useArranged();
  if (soon.length === 0) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Your interview`}</h2>
      <div className="col mt3">
        {soon.map((application) => (
          <SoonInterview key={application.id} application={application} now={now} />
        ))}
      </div>
    </section>
  );
}

function SoonInterview({ application, now }: Props & { now: Date }) {
  const { t } = useLingui();
  const { interview, job } = application;
  const startsAt = interview?.startsAt ?? '';
  const minutes = Math.ceil((Date.parse(startsAt) - now.getTime()) / minuteMs);
  const isCallTime = interview?.mode === 'video' && minutes <= joinMinutes;
  const call = useInterview(isCallTime ? interview.id : null).data;
  const isJoinable = call !== undefined && call.endsAt !== null && now < new Date(call.endsAt);
  return (
    <Card as="article" roomy>
      <h3 className="h-l">
        {minutes > 0
          ? t`Interview in ${formatMinutes(minutes)}`
          : minutes === 0
            ? t`Interview starting now`
            : t`Interview started ${formatMinutes(-minutes)} ago`}
      </h3>
      <p className="mute">{formatDate(startsAt, job.timeZone, now)}</p>
      <p className="sm mute">{joined(job.title, job.business.name)}</p>
      {minutes < 0 ? <p className="sm mute">{clockText(application, now).reply}</p> : null}
      <div className="col mt4">
        {isJoinable ? (
          <a className="btn go full" href={call.where} target="_blank" rel="noopener noreferrer">
            <Icon name="video-camera" />
            {t`Join the call`}
          </a>
        ) : null}
        <ButtonLink kind="out" full to={`/interview?id=${interview?.id ?? ''}`}>
          {t`Open interview`}
        </ButtonLink>
      </div>
    </Card>
  );
}

export function InterviewsArranged() {
  const { t } = useLingui();
  const canShow = useCanShowInterview();
  const { later, now } = useArranged();
  if (later.length === 0) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Upcoming interviews`}</h2>
      <div className="col mt3">
        {later.map(({ id, interview, job }) => (
          <Card key={id} flush as="article">
            <ListRow
              to={`/interview?id=${interview?.id ?? ''}`}
              needsNetwork={!canShow(interview?.id ?? '')}
              lead={<Icon name="calendar-check" />}
              title={t`Interview ${formatDate(interview?.startsAt ?? '', job.timeZone, now)}`}
              note={joined(job.title, job.business.name)}
            />
          </Card>
        ))}
      </div>
    </section>
  );
}
