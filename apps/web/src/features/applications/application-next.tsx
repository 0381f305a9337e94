import { Trans, useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/applications';
import { hourMs } from '@nearhand/contract/durations';
import type { InterviewStatus } from '@nearhand/contract/interviews';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatDate, formatDayTime, joined } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useJoinWaitlist, useLeaveWaitlist, useMyApplications } from './applications.api.ts';

type Props = { application: MyApplication };

/** The booked work that came of it. */
export function EngagementLink({ application }: Props) {
  const { t } = useLingui();
  if (!application.engagementId) return null;
  return (
    <Card flush as="section" label={t`Booked work`}>
      <ListRow
        to={`/tabs/menu/my-work/engagement/${application.engagementId}`}
        lead={<Icon name="calendar-check" />}
        title={t`You are booked`}
        note={t`Where to go, checking in, hours and pay`}
      />
    </Card>
  );
}

/** Where the interview stands, and the way to it. */
export function InterviewCard({ application }: Props) {
  const { t } = useLingui();
  const { interview, job } = application;
  if (!interview) return null;
  const states: Record<InterviewStatus, { badge: string; tone?: Tone }> = {
    proposed: { badge: t`Pick a time`, tone: 'wait' },
    scheduled: { badge: t`Agreed`, tone: 'good' },
    reschedule_requested: { badge: t`To be moved`, tone: 'wait' },
    completed: { badge: t`Held` },
    cancelled: { badge: t`Cancelled` },
    lapsed: { badge: t`Lapsed` },
    no_show_worker: { badge: t`Reported as missed`, tone: 'bad' },
    no_show_merchant: { badge: t`They did not come`, tone: 'bad' },
  };
  const modes = { in_person: t`In person`, phone: t`By phone`, video: t`By video` };
  const state = states[interview.status];
  return (
    <Card flush as="section" label={t`Interview`}>
      <ListRow
        to={`/interview?id=${interview.id}`}
        lead={
          <Icon
            name={
              interview.mode === 'phone' ? 'phone' : interview.mode === 'video' ? 'video-camera' : 'users'
            }
          />
        }
        title={t`Interview`}
        note={joined(
          modes[interview.mode],
          interview.startsAt && formatDate(interview.startsAt, job.timeZone),
        )}
        end={<Badge tone={state.tone}>{state.badge}</Badge>}
      />
    </Card>
  );
}

/** Staying on the list of a filled job, with the place in it. */
export function WaitlistCard({ application }: Props) {
  const { t } = useLingui();
  const join = useJoinWaitlist();
  const leave = useLeaveWaitlist();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { actions, waitlist, id, job } = application;
  const canJoin = actions.includes('join-waitlist');
  if (!waitlist && !canJoin) return null;
  const act = async (move: typeof join, done: string) => {
    setRefusal(null);
    try {
      await move.mutateAsync({ applicationId: id });
      showToast(done);
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };
  return (
    <Card as="section" label={t`Waitlist`}>
      <div className="row top">
        <Icon name="hourglass" />
        <div className="grow">
          <h2 className="h-s">
            {waitlist ? t`You are number ${waitlist.position} on the waitlist` : t`Stay on the waitlist`}
          </h2>
          <p className="sm mute mt1">
            <Trans>
              When a place frees, it is offered in order of the list. {job.business.name} need not do
              anything.
            </Trans>
          </p>
          {refusal ? (
            <p className="help err" role="alert">
              {refusal}
            </p>
          ) : null}
          <div className="mt3">
            {waitlist ? (
              actions.includes('leave-waitlist') ? (
                <Button
                  kind="out"
                  size="s"
                  busy={leave.isPending}
                  onClick={() => void act(leave, t`You left the waitlist`)}
                >
                  {t`Leave the waitlist`}
                </Button>
              ) : null
            ) : (
              <Button
                kind="ink"
                size="s"
                busy={join.isPending}
                onClick={() => void act(join, t`You are on the waitlist`)}
              >
                {t`Join the waitlist`}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}

/** Whether its interview waits for a time. */
export const needsTime = ({ interview }: MyApplication): boolean =>
  interview?.status === 'proposed' || interview?.status === 'reschedule_requested';

/** Interviews that wait for the worker to pick a time. */
export function InterviewsToPick({ applications }: { applications: readonly MyApplication[] }) {
  const { t } = useLingui();
  return (
    <>
      {applications.map(({ id, interview, job }) => (
        <Card key={id} flush as="article">
          <ListRow
            to={`/interview?id=${interview?.id ?? ''}`}
            lead={<Icon name="calendar-check" />}
            title={
              interview?.status === 'proposed'
                ? t`Pick a time for your interview`
                : t`An interview is to be moved`
            }
            note={joined(job.title, job.business.name)}
          />
        </Card>
      ))}
    </>
  );
}

/** Whether its interview has a time that both agreed on and that is not over long since. */
const isArranged = ({ interview }: MyApplication, now: Date): boolean =>
  interview?.status === 'scheduled' &&
  interview.startsAt !== null &&
  now.getTime() < Date.parse(interview.startsAt) + 2 * hourMs;

/** Interviews that are arranged, soonest first: where to be is looked for in the work, too. */
export function InterviewsArranged() {
  const { t } = useLingui();
  const now = useNow();
  const query = useMyApplications('live');
  const live = (query.data?.pages.flatMap((page) => page.items) ?? []) as MyApplication[];
  const items = live
    .filter((one) => isArranged(one, now))
    .sort((a, b) => (a.interview?.startsAt ?? '').localeCompare(b.interview?.startsAt ?? ''));
  if (items.length === 0) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Arranged interviews`}</h2>
      <div className="col mt3">
        {items.map(({ id, interview, job }) => (
          <Card key={id} flush as="article">
            <ListRow
              to={`/interview?id=${interview?.id ?? ''}`}
              lead={<Icon name="calendar-check" />}
              title={t`Interview ${formatDayTime(interview?.startsAt ?? '', job.timeZone, now)}`}
              note={joined(job.title, job.business.name)}
            />
          </Card>
        ))}
      </div>
    </section>
  );
}
