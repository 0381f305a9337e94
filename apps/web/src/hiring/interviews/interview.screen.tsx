import { useLingui } from '@lingui/react/macro';
import { interviewPath } from '@nearhand/contract/app-paths';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useUser } from '../../lib/session.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { InterviewDetail } from './interview-detail.tsx';
import { InterviewRow, interviewDays } from './interview-row.tsx';
import { flattenInterviews, type InterviewsOf, useInterview, useInterviews } from './interviews.api.ts';
import './interviews.css';

const path = '/interview';

/** The interviews of the current side: as a worker, or of the current business. `?id=` opens one on either side. */
export default function InterviewScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { pathname, search } = useLocation();
  const askedId = pathname === path ? new URLSearchParams(search).get('id') : null;
  if (user?.emailVerified === true) return <Interviews askedId={askedId} />;
  return (
    <Screen title={t`Interviews`} heading={null}>
      {user ? (
        <UnverifiedState level="h1">
          <p>{t`Then businesses can propose interview times, and you'll find them here.`}</p>
        </UnverifiedState>
      ) : (
        <SignedOutState
          level="h1"
          title={t`Interviews that fit both calendars`}
          next={askedId ? interviewPath(askedId) : path}
        >
          <p>{t`One side proposes a few times and the other picks one. Here you both see when and where, can reschedule, and add it to your calendar.`}</p>
        </SignedOutState>
      )}
    </Screen>
  );
}

type View = 'coming' | 'past';

/** The interviews of the current side: those to answer and the upcoming ones, or the past ones. */
function useInterviewLists() {
  const isHiring = useDeviceSetting(sideSetting) === 'hire';
  const { business, query: businesses } = useCurrentBusiness();
  const owner: InterviewsOf = isHiring ? (business ? { businessId: business.id } : null) : 'worker';
  const [view, setView] = useState<View>('coming');
  const toAnswer = useInterviews(owner, 'to_answer');
  const upcoming = useInterviews(view === 'coming' ? owner : null, 'upcoming');
  const past = useInterviews(view === 'past' ? owner : null, 'past');
  const lists = view === 'coming' ? [toAnswer, upcoming] : [past];
  const refresh = () => Promise.all(lists.map((list) => list.refetch()));
  // The agenda is complete once both lists are loaded; either may fail.
  const coming = toAnswer.data === undefined ? toAnswer : upcoming;
  const visibleList =
    isHiring && !business
      ? { ...businesses, data: undefined }
      : view === 'coming'
        ? { ...coming, refetch: refresh }
        : past;
  return {
    isHiring,
    hasNoBusiness: isHiring && business === null,
    view,
    setView,
    toAnswer,
    upcoming,
    past,
    visibleList,
    items: lists.flatMap((list) => flattenInterviews(list.data)),
    refresh,
  };
}

function Interviews({ askedId }: { askedId: string | null }) {
  const { t } = useLingui();
  const wide = useWide();
  const navigate = useNavigate();
  const lists = useInterviewLists();
  const { isHiring, view, setView, items, refresh } = lists;
  const openId = askedId ?? (wide ? (items[0]?.id ?? null) : null);
  const select = (interview: Interview) =>
    navigate(interviewPath(interview.id), { replace: askedId !== null });

  if (!wide && askedId)
    return (
      <Screen title={t`Interview`} heading={null} back={path}>
        <OpenInterview interviewId={askedId} level="h1" />
      </Screen>
    );
  if (lists.hasNoBusiness) return <WithoutBusiness />;
  const readState = firstRead(lists.visibleList);
  return (
    <Screen
      title={t`Interviews`}
      onRefresh={refresh}
      aside={
        openId ? (
          <div className="interview-aside">
            <OpenInterview interviewId={openId} level="h2" />
          </div>
        ) : readState === 'failed' ? undefined : (
          // The list keeps its width regardless of what is next to it.
          <div className="interview-aside">
            {readState === 'loading' ? (
              <PageSkeleton />
            ) : (
              <p className="mute ctr">{t`Interviews you open appear here.`}</p>
            )}
          </div>
        )
      }
      asideLabel={t`Interview`}
    >
      {isHiring ? (
        <div className="interview-pick">
          <BusinessPick single={(name) => name} />
        </div>
      ) : null}
      <Segmented
        label={t`Interviews`}
        value={view}
        onChange={(next) => {
          setView(next);
          if (askedId) navigate(path, { replace: true });
        }}
        options={[
          { value: 'coming', label: t`Upcoming` },
          { value: 'past', label: t`Past` },
        ]}
      />
      <div className="mt4">
        <HelpLink article="interviews">{t`How interviews work`}</HelpLink>
      </div>
      <div className="mt5">
        <InterviewList lists={lists} selectedId={wide ? openId : null} onSelect={wide ? select : undefined} />
      </div>
    </Screen>
  );
}

type InterviewListProps = {
  lists: ReturnType<typeof useInterviewLists>;
  selectedId: string | null;
  onSelect: ((interview: Interview) => void) | undefined;
};

function InterviewList({ lists, selectedId, onSelect }: InterviewListProps) {
  const { t } = useLingui();
  const now = useNow();
  const { isHiring, view, toAnswer, upcoming, past, visibleList, items } = lists;
  const rows = (list: readonly Interview[], withDay = false) =>
    list.map((interview) => (
      <InterviewRow
        key={interview.id}
        interview={interview}
        now={now}
        withDay={withDay}
        selected={interview.id === selectedId}
        onSelect={onSelect && (() => onSelect(interview))}
      />
    ));
  const byDays = (list: readonly Interview[]) =>
    interviewDays(list).map(({ day, title, items: ofDay }) => (
      <section key={day} className="interview-day">
        <h3 className="h-s">{title}</h3>
        {rows(ofDay)}
      </section>
    ));
  if (view === 'coming')
    return (
      <QueryState
        query={visibleList}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load your interviews`}
        offlineNote={t`You can make changes when you're back online.`}
        isEmpty={() => items.length === 0}
        empty={<NoInterviews hiring={isHiring} />}
      >
        {() => (
          <Agenda hiring={isHiring} toAnswer={toAnswer} upcoming={upcoming} rows={rows} byDays={byDays} />
        )}
      </QueryState>
    );
  return (
    <QueryState
      query={visibleList}
      loading={<RowsSkeleton count={4} />}
      errorTitle={t`We couldn't load your interviews`}
      isEmpty={() => items.length === 0}
      empty={
        <EmptyState title={t`No past interviews`}>
          <p>{t`Completed, cancelled and expired interviews appear here.`}</p>
        </EmptyState>
      }
    >
      {() => (
        <>
          <h2 className="vh">{t`Past interviews`}</h2>
          {byDays(items)}
          <LoadMore query={past} />
        </>
      )}
    </QueryState>
  );
}

type AgendaProps = {
  hiring: boolean;
  toAnswer: ReturnType<typeof useInterviews>;
  upcoming: ReturnType<typeof useInterviews>;
  rows: (list: readonly Interview[], withDay: boolean) => ReactNode;
  byDays: (list: readonly Interview[]) => ReactNode;
};

/** Interviews to answer, then the upcoming ones by day. */
function Agenda({ hiring, toAnswer, upcoming, rows, byDays }: AgendaProps) {
  const { t } = useLingui();
  const first = flattenInterviews(toAnswer.data);
  return (
    <div className="interview-lists">
      {first.length > 0 ? (
        <section>
          <h2 className="h-m">{hiring ? t`Needs your attention` : t`Needs your reply`}</h2>
          {rows(first, true)}
          <LoadMore query={toAnswer} />
        </section>
      ) : null}
      {flattenInterviews(upcoming.data).length > 0 ? (
        <section>
          <h2 className="h-m">{t`Upcoming`}</h2>
          {byDays(flattenInterviews(upcoming.data))}
          <LoadMore query={upcoming} />
        </section>
      ) : null}
    </div>
  );
}

type OpenedProps = { interviewId: string; level: 'h1' | 'h2' };

function OpenInterview({ interviewId, level }: OpenedProps) {
  const { t } = useLingui();
  const query = useInterview(interviewId);
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We couldn't load this interview`}
      offlineNote={t`You can make changes when you're back online.`}
    >
      {(interview) => <InterviewDetail key={interview.id} interview={interview} level={level} />}
    </QueryState>
  );
}

function WithoutBusiness() {
  const { t } = useLingui();
  return (
    <Screen title={t`Interviews`}>
      <NoBusiness title={t`No business yet`}>
        <p>{t`Register a business to propose times to applicants and see every interview here.`}</p>
      </NoBusiness>
    </Screen>
  );
}

function NoInterviews({ hiring }: { hiring: boolean }) {
  const { t } = useLingui();
  return hiring ? (
    <EmptyState
      title={t`No upcoming interviews`}
      actions={
        <ButtonLink kind="go" full to="/to-interview">
          {t`Propose interviews`}
        </ButtonLink>
      }
    >
      <p>{t`Propose a few times to someone on your shortlist. They pick one, and it goes in both calendars.`}</p>
    </EmptyState>
  ) : (
    <EmptyState
      title={t`No upcoming interviews`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/my-work">
          {t`See your applications`}
        </ButtonLink>
      }
    >
      <p>{t`When a business wants to talk, it proposes a few times. You pick one here.`}</p>
    </EmptyState>
  );
}
