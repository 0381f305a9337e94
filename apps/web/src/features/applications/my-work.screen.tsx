import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/applications';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { ButtonLink, IconLink } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { PullRefresh } from '../../ui/pull-refresh.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { JobListSkeleton, PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import { engagementsOf, useMyEngagements } from '../engagements/engagements.api.ts';
import { WorkAside } from '../engagements/work-aside.part.tsx';
import {
  anyToAnswer,
  leadingWork,
  TodayCards,
  WorkCard,
  WorkToAnswer,
} from '../engagements/work-list.part.tsx';
import { useUnreadCount } from '../notifications/notifications.api.ts';
import { OffersToAnswer, useOffersToAnswer } from '../offers/offers-to-answer.part.tsx';
import { InvitationsToAnswer, useInvitationsToAnswer } from '../pipeline/invitations.part.tsx';
import { ApplicationCard, WaitingCard } from './application-card.tsx';
import { ApplicationActions, ApplicationBody, ApplicationHero } from './application-detail.tsx';
import { InterviewsToPick, needsTime } from './application-next.tsx';
import { unqueueApplication, useWaiting } from './application-outbox.ts';
import { useMyApplication, useMyApplications } from './applications.api.ts';
import { CalendarPart } from './calendar-parts.tsx';
import './applications.css';

const path = '/tabs/menu/my-work';
type View = 'booked' | 'applied' | 'ended';
type Chosen = { kind: 'work' | 'application'; id: string } | null;

/** Everything of the worker: what is on now, what waits for an answer, what is booked, applied for and over. */
export default function MyWorkScreen() {
  const { t } = useLingui();
  const user = useUser();
  const wide = useWide();
  const unread = useUnreadCount();
  const verified = user?.emailVerified === true;
  const { search } = useLocation();
  const calendar = new URLSearchParams(search).get('view') === 'calendar';
  const live = useMyEngagements('live');
  const work = engagementsOf(live.data);
  const [picked, setView] = useState<View | null>(null);
  const [chosen, setChosen] = useState<Chosen>(null);
  // Who has work booked looks for it; who has none, for what they applied for.
  const view = picked ?? (work.length > 0 ? 'booked' : 'applied');
  const leading = leadingWork(work);
  const first: Chosen = view === 'booked' && leading ? { kind: 'work', id: leading.id } : null;
  const shown = wide ? (chosen ?? first) : null;
  const list = { selected: shown?.id ?? null, onSelect: wide ? setChosen : null };
  return (
    <Screen
      title={calendar ? t`Calendar` : t`My work`}
      heading={user ? undefined : null}
      back={calendar ? path : 'menu'}
      actions={
        user ? (
          <>
            {calendar ? null : (
              <IconLink icon="calendar-blank" label={t`Calendar`} to={`${path}?view=calendar`} />
            )}
            <IconLink
              icon="bell"
              label={unread > 0 ? t`Notifications, ${unread} unread` : t`Notifications`}
              to="/notifications"
              dot={unread > 0}
            />
          </>
        ) : undefined
      }
      aside={verified && !calendar && shown ? <Aside shown={shown} /> : undefined}
      asideLabel={t`Details`}
    >
      {verified ? (
        calendar ? (
          <Suspense fallback={<PageSkeleton />}>
            <CalendarPart />
          </Suspense>
        ) : (
          <>
            <PullRefresh onRefresh={() => live.refetch()} />
            <Outbox />
            <TodayCards items={work} beside={list.selected} />
            <ToAnswer work={work} />
            <Segmented
              label={t`What to show`}
              value={view}
              onChange={(next) => {
                setView(next);
                setChosen(null);
              }}
              options={[
                { value: 'booked', label: t`Booked` },
                { value: 'applied', label: t`Applications` },
                { value: 'ended', label: t`Ended` },
              ]}
            />
            <div className="mt5">
              {view === 'booked' ? <WorkList key="live" group="live" {...list} /> : null}
              {view === 'applied' ? <ApplicationList key="live" group="live" {...list} /> : null}
              {view === 'ended' ? (
                <>
                  <WorkList key="ended" group="ended" {...list} />
                  <ApplicationList key="ended" group="ended" {...list} />
                </>
              ) : null}
            </div>
          </>
        )
      ) : user ? (
        <EmptyState
          art="door"
          title={t`Verify your email first`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/account">
              {t`Go to your account`}
            </ButtonLink>
          }
        >
          <p>{t`Then you can apply, and find every application here with where it stands.`}</p>
        </EmptyState>
      ) : (
        <SignedOutState level="h1" title={t`Your work, in one place`} next={path}>
          <p>{t`Every application with where it stands and until when they answer.`}</p>
        </SignedOutState>
      )}
    </Screen>
  );
}

/** What waits for the worker: offers first, since they run out. */
function ToAnswer({ work }: { work: readonly EngagementCard[] }) {
  const { t } = useLingui();
  const offers = useOffersToAnswer();
  const invitations = useInvitationsToAnswer();
  const applications = useMyApplications('live');
  const live = (applications.data?.pages.flatMap((page) => page.items) ?? []) as MyApplication[];
  const toPick = live.filter(needsTime);
  const waits = anyToAnswer(work);
  if (offers.length === 0 && invitations.length === 0 && toPick.length === 0 && !waits) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Waits for you`}</h2>
      <div className="col mt3">
        <OffersToAnswer offers={offers} />
        <WorkToAnswer items={work} />
        <InterviewsToPick applications={toPick} />
        <InvitationsToAnswer invitations={invitations} />
      </div>
    </section>
  );
}

type ListProps = {
  group: 'live' | 'ended';
  selected: string | null;
  onSelect: ((chosen: Chosen) => void) | null;
};

function WorkList({ group, selected, onSelect }: ListProps) {
  const { t } = useLingui();
  const query = useMyEngagements(group);
  const items = engagementsOf(query.data);
  if (group === 'ended' && query.data && items.length === 0) return null;
  return (
    <QueryState
      query={query}
      loading={<JobListSkeleton count={2} />}
      errorTitle={t`We could not load your booked work`}
      describe={errorText}
      asOf={formatAgo}
      offlineNote={t`Checking in and out works: it is kept here and sent when you reconnect.`}
      isEmpty={() => items.length === 0}
      empty={
        <EmptyState
          title={t`Nothing is booked`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/explore">
              {t`Find work nearby`}
            </ButtonLink>
          }
        >
          <p>{t`Once you accept an offer, the work stands here with where to go, checking in and your hours.`}</p>
        </EmptyState>
      }
    >
      {() => (
        <>
          <h2 className={group === 'live' ? 'vh' : 'h-s'}>
            {group === 'live' ? t`Booked work` : t`Work that is over`}
          </h2>
          <div className={group === 'live' ? 'col' : 'col mt3'}>
            {items.map((one) => (
              <WorkCard
                key={one.id}
                work={one}
                selected={one.id === selected}
                onSelect={onSelect ? () => onSelect({ kind: 'work', id: one.id }) : null}
              />
            ))}
          </div>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

function ApplicationList({ group, selected, onSelect }: ListProps) {
  const { t } = useLingui();
  const query = useMyApplications(group);
  const items = (query.data?.pages.flatMap((page) => page.items) ?? []) as MyApplication[];
  return (
    <QueryState
      query={query}
      loading={<JobListSkeleton count={3} />}
      errorTitle={t`We could not load your applications`}
      describe={errorText}
      asOf={formatAgo}
      offlineNote={t`Changes wait for a connection.`}
      isEmpty={(data) => data.pages[0]?.items.length === 0}
      empty={<Nothing group={group} />}
    >
      {() => (
        <>
          <h2 className={group === 'live' ? 'vh' : 'h-s mt6'}>
            {group === 'live' ? t`Running applications` : t`Ended applications`}
          </h2>
          <div className={group === 'live' ? 'col' : 'col mt3'}>
            {items.map((application) => (
              <ApplicationCard
                key={application.id}
                application={application}
                selected={application.id === selected}
                onSelect={onSelect ? () => onSelect({ kind: 'application', id: application.id }) : null}
              />
            ))}
          </div>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

function Outbox() {
  const { t } = useLingui();
  const entries = useWaiting();
  if (entries.length === 0) return null;
  return (
    <section className="outbox">
      <h2 className="h-s">{t`Not sent yet`}</h2>
      <div className="col mt3">
        {entries.map((entry) => (
          <WaitingCard key={entry.jobId} entry={entry} onDrop={() => unqueueApplication(entry.jobId)} />
        ))}
      </div>
    </section>
  );
}

function Nothing({ group }: { group: 'live' | 'ended' }) {
  const { t } = useLingui();
  if (group === 'ended')
    return (
      <EmptyState title={t`No application has ended`}>
        <p>{t`Applications that were answered, taken back or closed are kept here.`}</p>
      </EmptyState>
    );
  return (
    <EmptyState
      title={t`No application is running`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Apply for a job and follow it here. They have until a set day to answer, and you always hear how it ends.`}</p>
    </EmptyState>
  );
}

/** Beside the list on a desktop. */
function Aside({ shown }: { shown: NonNullable<Chosen> }) {
  return shown.kind === 'work' ? (
    <WorkAside engagementId={shown.id} />
  ) : (
    <ApplicationAside applicationId={shown.id} />
  );
}

function ApplicationAside({ applicationId }: { applicationId: string }) {
  const query = useMyApplication(applicationId);
  const application = query.data;
  if (!application) return null;
  return (
    <div className="aside-detail" key={application.id}>
      <div className="pinecard flat">
        <ApplicationHero application={application} level="h2" />
      </div>
      <ApplicationBody application={application} />
      <div className="row g3 wrap">
        <ApplicationActions application={application} />
      </div>
    </div>
  );
}
