import { useLingui } from '@lingui/react/macro';
import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import { type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useUser } from '../../lib/session.ts';
import { BellLink } from '../../talk/notifications/bell-link.tsx';
import { IconLink } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton, PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { engagementsOf, useEngagement, useMyEngagements } from '../../work/engagements/engagements.api.ts';
import { ReviewsToWrite, useReviewsDue } from '../../work/engagements/review-links.tsx';
import { WorkDetail } from '../../work/engagements/work-detail.tsx';
import {
  anyAwaitingAnswer,
  leadingWork,
  TodayCards,
  todaysWork,
  WorkToAnswer,
} from '../../work/engagements/work-list.tsx';
import { UnsentApplicationCard } from '../applications/application-card.tsx';
import { ApplicationActions, ApplicationBody, ApplicationHero } from '../applications/application-detail.tsx';
import {
  InterviewsArranged,
  InterviewsSoon,
  InterviewsToPick,
  needsTime,
} from '../applications/application-next.tsx';
import { useMyApplication, useMyApplications } from '../applications/applications.api.ts';
import { unqueueApplication, useWaiting } from '../applications/outbox.api.ts';
import { useMyInvitations } from '../invitations/invitations.api.ts';
import { InvitationsToAnswer, useInvitationsToAnswer } from '../invitations/invitations.tsx';
import { useMyOffers } from '../offers/offers.api.ts';
import { OffersToAnswer, useOffersToAnswer } from '../offers/offers-to-answer.tsx';
import { ApplicationList, bySeries, type Chosen, openApplications, WorkList } from './my-work-lists.tsx';
import '../applications/applications.css';

const CalendarPart = lazyPart(async () => ({
  default: (await import('../calendar/calendar.tsx')).CalendarPart,
}));

const path = '/tabs/menu/my-work';
type View = 'booked' | 'applied' | 'ended';

/** The worker's bookings and applications, the chosen view of them, and the item shown next to it. */
function useMyWork(wide: boolean) {
  const now = useNow(15_000);
  const live = useMyEngagements('live');
  const loading = useTopLoading();
  const work = engagementsOf(live.data);
  const [pickedView, setPickedView] = useState<View | null>(null);
  const view = pickedView ?? (work.length > 0 ? 'booked' : 'applied');
  const leading = leadingWork(work, now);
  const applications = useMyApplications('live');
  const [applied] = bySeries(openApplications(applications.data));
  const ended = useMyEngagements(view === 'ended' ? 'ended' : 'live');
  const over = engagementsOf(ended.data);
  // Each view shows an item next to it, so that the page keeps its columns.
  const firstOf: Record<View, Chosen> = {
    booked: leading ? { kind: 'work', id: leading.id } : null,
    applied: applied ? { kind: 'application', id: applied[0].id } : null,
    ended: over[0] ? { kind: 'work', id: over[0].id } : null,
  };
  const beside = useBeside(firstOf[view]);
  const selected = wide ? beside.item : null;
  return {
    now,
    live,
    loading,
    work,
    view,
    pickView: (next: View) => {
      setPickedView(next);
      beside.choose(null);
    },
    isBusy: todaysWork(work, now).length > 0,
    beside,
    selected,
    readState: firstRead({ booked: live, applied: applications, ended }[view]),
    list: { selected: selected?.id ?? null, onSelect: wide ? beside.choose : null },
  };
}

export default function MyWorkScreen() {
  const { t } = useLingui();
  const user = useUser();
  const wide = useWide();
  const isVerified = user?.emailVerified === true;
  const { search } = useLocation();
  const isCalendar = new URLSearchParams(search).get('view') === 'calendar';
  const myWork = useMyWork(wide);
  const { live, loading, beside, selected, readState } = myWork;
  const aside = () => {
    if (!isVerified || isCalendar || !wide) return undefined;
    if (selected)
      return (
        <Beside onHold={beside.hold}>
          <Aside selected={selected} />
        </Beside>
      );
    if (loading || readState === 'loading')
      return (
        // The list keeps its width regardless of what is next to it.
        <div className="aside-detail">
          <PageSkeleton />
        </div>
      );
    return readState === 'done' ? <NothingBeside /> : undefined;
  };
  const content = () => {
    if (!user)
      return (
        <SignedOutState level="h1" title={t`All your work in one place`} next={path}>
          <p>{t`Every application with its status and reply deadline.`}</p>
        </SignedOutState>
      );
    if (!isVerified)
      return (
        <UnverifiedState>
          <p>{t`Then you can apply and track every application here.`}</p>
        </UnverifiedState>
      );
    if (isCalendar)
      return (
        <Suspense fallback={<PageSkeleton />}>
          <CalendarPart />
        </Suspense>
      );
    return loading ? <JobListSkeleton /> : <MyWorkLists myWork={myWork} />;
  };
  return (
    <Screen
      title={isCalendar ? t`Calendar` : t`My work`}
      heading={user ? undefined : null}
      back={isCalendar ? path : 'menu'}
      actions={
        user ? (
          <>
            {isCalendar ? null : (
              <IconLink icon="calendar-blank" label={t`Calendar`} to={`${path}?view=calendar`} />
            )}
            <BellLink />
          </>
        ) : undefined
      }
      aside={aside()}
      asideLabel={t`Details`}
      width={isCalendar ? 'wide' : 'column'}
      onRefresh={isVerified && !isCalendar ? () => live.refetch() : undefined}
    >
      {content()}
    </Screen>
  );
}

function MyWorkLists({ myWork }: { myWork: ReturnType<typeof useMyWork> }) {
  const { t } = useLingui();
  const { now, live, work, view, pickView, isBusy, list } = myWork;
  return (
    <>
      <Outbox />
      <InterviewsSoon />
      {isBusy ? (
        <QueryState
          query={live}
          loading={null}
          errorTitle={t`We couldn't load your booked jobs`}
          offlineNote={t`You can still check in and out. We'll sync it when you're back online.`}
        >
          {() => <TodayCards items={work} now={now} beside={list.selected} />}
        </QueryState>
      ) : null}
      <ToAnswer work={work} now={now} />
      <InterviewsArranged />
      <Segmented
        label={t`View`}
        value={view}
        onChange={pickView}
        options={[
          { value: 'booked', label: t`Booked` },
          { value: 'applied', label: t`Applications` },
          { value: 'ended', label: t`Ended` },
        ]}
      />
      <div className="mt5">
        {view === 'booked' ? (
          <WorkList key="live" group="live" {...list} now={now} ageShownAbove={isBusy} />
        ) : null}
        {view === 'applied' ? <ApplicationList key="live" group="live" {...list} /> : null}
        {view === 'ended' ? (
          <>
            <WorkList key="ended" group="ended" {...list} now={now} />
            <ApplicationList key="ended" group="ended" {...list} />
          </>
        ) : null}
      </div>
    </>
  );
}

function NothingBeside() {
  const { t } = useLingui();
  return <p className="aside-detail mute ctr">{t`Jobs and applications you open appear here.`}</p>;
}

function Aside({ selected }: { selected: NonNullable<Chosen> }) {
  return selected.kind === 'work' ? (
    <WorkAside engagementId={selected.id} />
  ) : (
    <ApplicationAside applicationId={selected.id} />
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

/** The item next to a list: the selection, or the first, which follows the list until someone uses it. */
export function useBeside<Item>(first: Item | null) {
  const [selection, choose] = useState<Item | null>(null);
  const item = selection ?? first;
  return { item, choose, hold: () => choose(item) };
}

/**
 * Focus inside the item, or in a sheet, pins it, so that a list update removes neither input nor an error.
 */
export function Beside({ onHold, children }: { onHold: () => void; children: ReactNode }) {
  return <div onFocusCapture={onHold}>{children}</div>;
}

/** Content above the lists would move them when it arrives. */
const useTopLoading = (): boolean =>
  useFirstLoading(
    useMyEngagements('live'),
    useMyOffers('live'),
    useMyInvitations(),
    useMyApplications('live'),
  );

function ToAnswer({ work, now }: { work: readonly EngagementCard[]; now: Date }) {
  const { t } = useLingui();
  const offers = useOffersToAnswer();
  const invitations = useInvitationsToAnswer();
  const applications = useMyApplications('live');
  const live = applications.data?.pages.flatMap((page) => page.items) ?? [];
  const toPick = live.filter(needsTime);
  const reviews = useReviewsDue();
  const hasUnanswered = anyAwaitingAnswer(work, now);
  const waiting = [offers, invitations, toPick, reviews.items];
  if (waiting.every(({ length }) => length === 0) && !hasUnanswered) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Needs your attention`}</h2>
      <div className="col mt3">
        <OffersToAnswer offers={offers} />
        <WorkToAnswer items={work} now={now} />
        <InterviewsToPick applications={toPick} />
        <InvitationsToAnswer invitations={invitations} />
        <ReviewsToWrite {...reviews} />
      </div>
    </section>
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
          <UnsentApplicationCard
            key={entry.jobId}
            entry={entry}
            onDrop={() => unqueueApplication(entry.jobId)}
          />
        ))}
      </div>
    </section>
  );
}

function WorkAside({ engagementId }: { engagementId: string }) {
  const { t } = useLingui();
  const query = useEngagement(engagementId, 'worker');
  return (
    <div className="aside-detail" key={engagementId}>
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this job`}>
        {(data: Engagement) => (
          <div>
            <WorkDetail work={data} level="h2" />
          </div>
        )}
      </QueryState>
    </div>
  );
}
