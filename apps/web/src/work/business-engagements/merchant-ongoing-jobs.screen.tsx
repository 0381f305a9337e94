import { Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import { type BusinessWorkGroup, statusesOfGroup } from '@nearhand/contract/engagement-statuses';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { useAddressState } from '../../lib/pages/use-address-state.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { SiteCode } from '../attendance/site-code.tsx';
import { businessGroups, groupText } from '../engagements/business-work.labels.ts';
import {
  businessEngagements,
  engagementsOf,
  useBusinessEngagements,
  useEngagement,
} from '../engagements/engagements.api.ts';
import { ApprovePlanned } from './approve-planned.tsx';
import { useBusinessActs } from './business-acts.tsx';
import { ShiftList } from './business-shift-list.tsx';
import { BusinessWorkDetail } from './business-work-detail.tsx';
import type { JobGroup } from './job-groups.rules.ts';
import { useReplacements } from './replacement.tsx';
import '../../ui/desk.css';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';

const KiosksSheet = lazyPart(async () => ({
  default: (await import('../kiosks/kiosks-sheet.tsx')).KiosksSheet,
}));

/** The chosen group and the work that is open, of a page wide enough for it. */
type ShiftView = { group: BusinessWorkGroup | null; openId: string | null };

const startView: ShiftView = { group: null, openId: null };

function readView(search: string, before = startView): ShiftView {
  const query = new URLSearchParams(search);
  const openId = query.get('engagement') ?? '';
  return {
    group: businessGroups.find((group) => group === query.get('group')) ?? null,
    openId: /^[\da-f-]{36}$/.test(openId) ? openId : before.openId,
  };
}

function writeView({ group, openId }: ShiftView): string {
  const query = new URLSearchParams();
  if (group !== null) query.set('group', group);
  if (openId !== null) query.set('engagement', openId);
  return query.size > 0 ? `?${query}` : '';
}

/** The view in the address (ADR 22). Another business starts with its own. */
function useShiftView(businessId: string | undefined) {
  const [view, setView] = useAddressState({
    path: '/merchant-ongoing-jobs',
    read: readView,
    write: writeView,
  });
  const [viewOf, setViewOf] = useState(businessId);
  if (businessId !== viewOf) {
    setViewOf(businessId);
    if (viewOf !== undefined) setView(startView);
  }
  return {
    view,
    setOpen: useCallback(
      (openId: string | null) => setView((current) => ({ ...current, openId })),
      [setView],
    ),
    setGroup: useCallback(
      (group: BusinessWorkGroup) => setView((current) => ({ ...current, group })),
      [setView],
    ),
  };
}

export default function BusinessOngoingJobsScreen() {
  const { t } = useLingui();
  const wide = useWide();
  const { query, business } = useCurrentBusiness();
  const { view, setOpen, setGroup } = useShiftView(business?.id);
  if (business && !mayOpen(business, '/merchant-ongoing-jobs'))
    return <NotForRole business={business} screen="/merchant-ongoing-jobs" title={t`On shift`} />;
  return (
    <Screen
      title={t`On shift`}
      heading={null}
      back="/tabs/menu/business"
      inMenu
      width="wide"
      aside={
        business ? (
          <SelectedWork openId={view.openId} />
        ) : firstRead(query) === 'loading' ? (
          <div className="business-aside" aria-hidden="true">
            <PageSkeleton />
          </div>
        ) : undefined
      }
      asideLabel={t`Selected job`}
    >
      <div className="desk-head">
        <h1 className="h-xl grow">{t`On shift`}</h1>
        <BusinessPick />
      </div>
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() =>
          business ? (
            <OnShift
              key={business.id}
              business={business}
              view={wide ? view : { ...view, openId: null }}
              onGroup={setGroup}
              onOpen={wide ? setOpen : null}
            />
          ) : (
            <NoBusiness title={t`No business yet`}>
              <Trans>People you hire appear here on the day of the job.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

type OnShiftProps = {
  business: Business;
  view: ShiftView;
  onGroup: (group: BusinessWorkGroup) => void;
  onOpen: ((engagementId: string | null) => void) | null;
};

function OnShift({ business, view, onGroup, onOpen }: OnShiftProps) {
  const { t } = useLingui();
  const now = useNow();
  const { openId } = view;
  const [code, setCode] = useState<JobGroup | null>(null);
  const [tablets, setTablets] = useState(false);
  const { ask, sheets } = useBusinessActs();
  const first = useBusinessEngagements(business.id, { group: 'here' });
  const counts = first.data?.pages[0]?.counts;
  const openedGroup = useOpenedGroup(counts);
  const group = view.group ?? openedGroup;
  const query = useBusinessEngagements(business.id, { group });
  const replacements = useReplacements(business.id, roleMay(business.role, 'applicants'));
  const shownCounts = query.data?.pages[0]?.counts ?? counts;
  useFirstOpened(group, query.data && engagementsOf(query.data), openId, onOpen);
  useFollowedWork({
    group,
    work: query.data && engagementsOf(query.data),
    openId,
    onGroup,
  });
  const words = groupText(group);
  const canShow = useCanShow();
  const total = shownCounts ? sumOf(Object.values(shownCounts)) : null;
  const isListed = (businessGroup: BusinessWorkGroup) =>
    businessGroup === group || shownCounts?.[businessGroup] !== 0;
  const waiting = useFirstLoading(first);
  if (waiting) return <PageSkeleton />;
  return (
    <>
      {total === 0 ? null : (
        <div className="shift-filters">
          <Chips label={t`Status`} wrap={onOpen !== null}>
            {businessGroups.filter(isListed).map((businessGroup) => (
              <Chip
                key={businessGroup}
                pressed={businessGroup === group}
                needsNetwork={!canShow(businessEngagements(business.id, { group: businessGroup }))}
                onClick={() => onGroup(businessGroup)}
              >
                {groupText(businessGroup).label} {shownCounts?.[businessGroup] ?? ''}
              </Chip>
            ))}
          </Chips>
        </div>
      )}
      {total === 0 ? null : <p className="sm mute">{words.meaning}</p>}
      {shownCounts?.to_approve ? <ApprovePlanned businessId={business.id} /> : null}
      <div className="mt4">
        <QueryState
          query={query}
          loading={<RowsSkeleton />}
          errorTitle={t`We couldn't load who's on shift`}
          offlineNote={t`You can make changes when you're back online.`}
          isEmpty={(data) => engagementsOf(data).length === 0}
          empty={<NoWork text={words.nothing} ever={total !== 0} />}
        >
          {(data) => (
            <>
              <ShiftList
                work={engagementsOf(data)}
                now={now}
                openId={openId}
                onOpen={onOpen}
                onAct={ask}
                onCode={setCode}
                replacements={replacements.data?.items ?? []}
              />
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      </div>
      {roleMay(business.role, 'work') ? (
        <p className="mt5">
          <Button kind="text" size="s" icon="qr-code" onClick={() => setTablets(true)}>
            {t`Tablets at the door`}
          </Button>
        </p>
      ) : null}
      {tablets ? (
        <Suspense fallback={null}>
          <KiosksSheet business={business} onClose={() => setTablets(false)} />
        </Suspense>
      ) : null}
      <SiteCode
        businessId={business.id}
        jobId={code?.jobId ?? null}
        title={code?.title ?? ''}
        onClose={() => setCode(null)}
      />
      {sheets}
    </>
  );
}

/** The group that the screen opens: the late, or else the first with work. It stays open until it is empty. */
function useOpenedGroup(counts: Record<BusinessWorkGroup, number> | null | undefined): BusinessWorkGroup {
  const [opened, setOpened] = useState<BusinessWorkGroup | null>(null);
  if (!counts) return 'here';
  if (opened !== null && counts[opened] > 0) return opened;
  const next = (['late', ...businessGroups] as const).find((group) => counts[group] > 0) ?? 'here';
  if (next !== opened) setOpened(next);
  return next;
}

function NoWork({ text, ever }: { text: string; ever: boolean }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={ever ? text : t`No one hired yet`}
      actions={
        ever ? null : (
          <ButtonLink kind="out" full to="/all-job-applicants">
            {t`See your applicants`}
          </ButtonLink>
        )
      }
    >
      {ever ? (
        <Trans>Pick another status above to see the rest.</Trans>
      ) : (
        <Trans>When someone accepts your offer, you'll see their start time, check-in and hours here.</Trans>
      )}
    </EmptyState>
  );
}

function SelectedWork({ openId }: { openId: string | null }) {
  const { t } = useLingui();
  const query = useEngagement(openId ?? undefined, 'business');
  if (openId === null) {
    return (
      <div className="business-aside">
        <EmptyState title={t`Nothing selected`}>
          <Trans>Pick someone on the left to see their hours and what you can do.</Trans>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="business-aside">
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load this job`}
        offlineNote={t`You can make changes when you're back online.`}
      >
        {(work) => <BusinessWorkDetail key={work.id} work={work} level="h2" />}
      </QueryState>
    </div>
  );
}

/** Shows the group of the selected work once its move, such as a reported no-show, left the list empty. */
function useFollowedWork({
  group,
  work,
  openId,
  onGroup,
}: {
  group: BusinessWorkGroup;
  work: readonly EngagementCard[] | undefined;
  openId: string | null;
  onGroup: (group: BusinessWorkGroup) => void;
}): void {
  const status = useEngagement(openId ?? undefined, 'business').data?.status;
  const filledGroup = useRef<BusinessWorkGroup | null>(null);
  useEffect(() => {
    if (work === undefined || status === undefined) return;
    if (work.length > 0) filledGroup.current = group;
    if (work.length > 0 || filledGroup.current !== group) return;
    const next = businessGroups.find((businessGroup) => statusesOfGroup[businessGroup].includes(status));
    if (next === undefined || statusesOfGroup[group].includes(status)) return;
    filledGroup.current = null;
    onGroup(next);
  }, [group, work, status, onGroup]);
}

/**
 * Opens a list's first item once, unless the address has another. An item that leaves the list stays open: someone
 * acted on it, and reads what comes of it.
 */
export function useFirstOpened(
  listKey: string,
  work: readonly EngagementCard[] | undefined,
  openId: string | null,
  onOpen: ((engagementId: string | null) => void) | null,
): void {
  const first = work?.[0];
  const among = work?.some(({ id }) => id === openId) ?? false;
  const isLoaded = work !== undefined;
  const opened = useRef<string | null>(null);
  const isLinked = useRef(openId !== null);
  useEffect(() => {
    if (among || (isLinked.current && openId !== null && isLoaded)) opened.current = listKey;
    if (isLoaded) isLinked.current = false;
    if (!onOpen || among) return;
    const follow = () => {
      if (document.querySelector('dialog[open]')) return;
      if (opened.current !== listKey && first) {
        opened.current = listKey;
        onOpen(first.id);
      }
    };
    follow();
    // `close` doesn't bubble, so listen in the capture phase.
    document.addEventListener('close', follow, true);
    return () => document.removeEventListener('close', follow, true);
  }, [listKey, isLoaded, first, among, openId, onOpen]);
}
