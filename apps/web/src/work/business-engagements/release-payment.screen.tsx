import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import { Suspense, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { csvTime } from '../../lib/forms/csv.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMoney, joined, locale, minorDigits } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import '../../ui/desk.css';
import { engagementPath, writeReviewPath } from '@nearhand/contract/app-paths';
import { useNavigate } from 'react-router';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { CsvButton } from '../../people/businesses/csv-button.tsx';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { claimDoubtInLine, nextLeft, workDate } from '../engagements/engagement.labels.ts';
import {
  engagementsOf,
  useBusinessEngagements,
  useEngagement,
  workToApprove,
} from '../engagements/engagements.api.ts';
import { ApprovePlanned } from './approve-planned.tsx';
import { OwedPay } from './business-money.tsx';
import './release-payment.css';
import { HelpLink } from '../../ui/help-link.tsx';
import { Releases } from '../timesheets/releases.tsx';
import { ReleaseWork } from './release-work.tsx';
import { WorkerHead } from './worker-head.tsx';

const ApprovalRuleLine = lazyPart(async () => ({
  default: (await import('../timesheets/approval-rule.tsx')).ApprovalRuleLine,
}));

const askedId = (): string | null => new URLSearchParams(globalThis.location?.search).get('engagement');

export default function ReleasePaymentScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  return (
    <Screen title={t`Release payment`} heading={null} back="/tabs/menu/business" inMenu width="wide">
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() =>
          business ? (
            <WaitingWork key={business.id} business={business} />
          ) : (
            <NoBusiness>
              <Trans>Finished work and the pay you release for it will appear here.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

type ReleaseSort = 'deadline' | 'date' | 'branch';

const compared = (first: string, second: string): number => (first < second ? -1 : Number(first > second));

/** Work without a deadline, date or branch comes last. */
function sortedBy(sort: ReleaseSort, work: readonly EngagementCard[]): EngagementCard[] {
  const names = new Intl.Collator(locale());
  const dateOf = ({ terms }: EngagementCard) => terms.startsAt ?? terms.dueOn ?? '~';
  return work.toSorted((first, second) => {
    const byDate = compared(dateOf(first), dateOf(second));
    if (sort === 'date') return byDate;
    if (sort === 'deadline') return compared(first.next?.at ?? '~', second.next?.at ?? '~') || byDate;
    return (
      Number(first.branch === null) - Number(second.branch === null) ||
      names.compare(first.branch?.name ?? '', second.branch?.name ?? '') ||
      byDate
    );
  });
}

/** True for work to approve, also for someone who sees it without approving it. */
const awaitsApproval = (
  { status, actions }: Pick<Engagement, 'status' | 'actions'>,
  role: Business['role'],
) =>
  actions.includes('approve') ||
  (!roleMay(role, 'pay') && (status === 'submitted' || status === 'delivered'));

/** The work to approve, then owed pay, and the one that is open. */
function useWorkToRelease(business: Business) {
  const query = useBusinessEngagements(business.id, workToApprove);
  const [chosenId, setChosenId] = useState<string | null>(askedId);
  const [sort, setSort] = useState<ReleaseSort>('deadline');
  const owedQuery = useBusinessEngagements(business.id, { group: 'owed' });
  const toApprove = sortedBy(
    sort,
    engagementsOf(query.data).filter((card) => awaitsApproval(card, business.role)),
  );
  const owed = engagementsOf(owedQuery.data).filter(({ id }) => toApprove.every((card) => card.id !== id));
  // Work to approve has a deadline; owed pay has none and comes after it.
  const work = [...toApprove, ...owed];
  const open = work.find(({ id }) => id === chosenId) ?? work[0];
  const at = open ? work.indexOf(open) : -1;
  const count = Math.max(work.length, (query.data?.pages[0]?.counts?.to_approve ?? 0) + owed.length);
  const go = (step: number) => setChosenId(work[(at + step + work.length) % work.length]?.id ?? null);
  return { query, work, toApprove, open, at, count, go, choose: setChosenId, sort, setSort };
}

type ToRelease = ReturnType<typeof useWorkToRelease>;

function WaitingWork({ business }: { business: Business }) {
  const { t } = useLingui();
  const wide = useWide();
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const release = useWorkToRelease(business);
  const { query, work, open } = release;
  return (
    <>
      <ReleaseHead release={release} hasSteps={!wide && work.length > 1} />
      {problem ? (
        <Banner tone="bad" icon="warning-circle" live>
          <Trans>The pay was released, but the tip wasn't added.</Trans> {problem}
        </Banner>
      ) : null}
      <ApprovePlanned businessId={business.id} />
      {roleMay(business.role, 'pay') ? (
        <Suspense>
          <ApprovalRuleLine businessId={business.id} />
        </Suspense>
      ) : null}
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load pending payments`}
        isPageAge
        offlineNote={t`You can approve once you're back online.`}
        isEmpty={() => work.length === 0}
        empty={<NothingToRelease business={business} />}
      >
        {() => (
          <>
            <div className="release-desk">
              {wide ? <ReleaseList release={release} /> : null}
              {open ? (
                <OpenRelease
                  key={open.id}
                  id={open.id}
                  role={business.role}
                  wide={wide}
                  onReleased={(text, note) => {
                    const review = {
                      label: t`Write a review`,
                      run: () =>
                        navigate(
                          writeReviewPath('business', { engagementId: open.id, businessId: business.id }),
                        ),
                    };
                    showToast(text, roleMay(business.role, 'work') ? review : undefined);
                    setProblem(note);
                    release.choose(null);
                  }}
                />
              ) : null}
            </div>
            <SaveToApprove businessId={business.id} />
          </>
        )}
      </QueryState>
    </>
  );
}

/** Saves the hours that wait for approval by date: planned and recorded times, deadline and claimed pay. */
function SaveToApprove({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  return (
    <CsvButton
      fileName={t`Hours to approve`}
      head={[
        t`Name`,
        t`Job`,
        t`Branch`,
        t`Start`,
        t`End`,
        t`Check-in`,
        t`Check-out`,
        t`As planned`,
        t`Deadline`,
        t`Pay`,
        t`Currency`,
      ]}
      read={(page) => api.engagements.forBusiness({ businessId, group: 'to_approve', ...page })}
      rowOf={({ worker, branch, terms, checkedInAt, checkedOutAt, next, amountMinor, asPlanned }) => [
        worker.name,
        terms.title,
        branch?.name ?? null,
        csvTime(terms.startsAt, terms.timeZone) ?? terms.dueOn,
        csvTime(terms.endsAt, terms.timeZone),
        csvTime(checkedInAt, terms.timeZone),
        csvTime(checkedOutAt, terms.timeZone),
        asPlanned ? t`Yes` : t`No`,
        csvTime(next?.at ?? null, terms.timeZone),
        typedFromMinor(amountMinor, minorDigits(terms.currency)),
        terms.currency,
      ]}
    />
  );
}

function ReleaseHead({
  release: { open, at, count, go, toApprove, sort, setSort },
  hasSteps,
}: {
  release: ToRelease;
  hasSteps: boolean;
}) {
  const { t } = useLingui();
  return (
    <div className="desk-head">
      <div className="grow">
        <h1 className="h-xl">{t`Release payment`}</h1>
        {open ? (
          <p className="mute mt1">
            {hasSteps ? (
              <Trans>
                {at + 1} of {count}
              </Trans>
            ) : (
              <Plural value={count} one="# waiting" other="# waiting" />
            )}
          </p>
        ) : null}
      </div>
      <HelpLink article="release-payment">{t`How releasing pay works`}</HelpLink>
      <BusinessPick />
      {toApprove.length > 1 ? (
        <PickButton
          label={t`Sort`}
          value={sort}
          options={[
            { value: 'deadline', label: t`First deadline first` },
            { value: 'date', label: t`By date` },
            { value: 'branch', label: t`By branch` },
          ]}
          onChange={setSort}
        />
      ) : null}
      {hasSteps ? (
        <div className="row g1">
          <IconButton icon="caret-left" label={t`Previous`} onClick={() => go(-1)} />
          <IconButton icon="caret-right" label={t`Next`} onClick={() => go(1)} />
        </div>
      ) : null}
    </div>
  );
}

function ReleaseList({ release: { query, work, toApprove, open, choose } }: { release: ToRelease }) {
  const { t } = useLingui();
  const now = useNow();
  return (
    <nav className="card flush release-list" aria-label={t`Waiting for release`}>
      <ul>
        {work.map((card) => (
          <li key={card.id} className={card.id === open?.id ? 'on' : undefined}>
            <ListRow
              lead={<Avatar name={card.worker.name || t`The worker`} src={fileUrl(card.worker.photoPath)} />}
              title={card.worker.name || t`The worker`}
              note={joined(
                card.terms.title,
                card.branch?.name,
                workDate(card.terms, now),
                card.asPlanned ? t`as planned` : claimDoubtInLine(card),
              )}
              end={
                <span className="right num">
                  {toApprove.includes(card) ? (
                    <>
                      <span className="strong sm block">
                        {formatMoney(card.amountMinor, card.terms.currency)}
                      </span>
                      <span className="xs mute block">{nextLeft(card, now)}</span>
                    </>
                  ) : (
                    // No amount: part of the pay may be paid already.
                    <span className="strong sm block">{t`Still owed`}</span>
                  )}
                </span>
              }
              onClick={() => choose(card.id)}
            />
          </li>
        ))}
      </ul>
      <LoadMore query={query} />
    </nav>
  );
}

function OpenRelease({
  id,
  role,
  wide,
  onReleased,
}: {
  id: string;
  role: Business['role'];
  wide: boolean;
  onReleased: (text: string, tipProblem: string | null) => void;
}) {
  const { t } = useLingui();
  const query = useEngagement(id, 'business');
  return (
    <div className={wide ? 'card p5' : undefined}>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load this job`}
        offlineNote={t`You can approve once you're back online.`}
      >
        {(work) =>
          awaitsApproval(work, role) ? (
            <ReleaseWork work={work} level="h2" onReleased={onReleased} />
          ) : (
            <OwedWork work={work} mayPay={roleMay(role, 'pay')} />
          )
        }
      </QueryState>
    </div>
  );
}

function OwedWork({ work, mayPay }: { work: Engagement; mayPay: boolean }) {
  const { t } = useLingui();
  const name = work.worker.name || t`The worker`;
  return (
    <div className="release-work">
      <WorkerHead work={work} name={name} level="h2" small />
      <Releases work={work} />
      {mayPay ? <OwedPay work={work} /> : null}
      <ButtonLink kind="text" size="s" to={engagementPath(work.id, 'business')}>
        {t`See full details`}
      </ButtonLink>
    </div>
  );
}

function NothingToRelease({ business }: { business: Business }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nothing to release`}
      actions={
        mayOpen(business, '/merchant-ongoing-jobs') ? (
          <>
            <ButtonLink kind="ink" full to="/merchant-ongoing-jobs">
              {t`See who's on shift`}
            </ButtonLink>
            <ButtonLink kind="out" full to="/completed-job">
              {t`See finished work`}
            </ButtonLink>
          </>
        ) : (
          <ButtonLink kind="ink" full to="/merchant-transaction">
            {t`Statement`}
          </ButtonLink>
        )
      }
    >
      <Trans>
        When someone submits hours or delivers work, it appears here for you to release their pay.
      </Trans>
    </EmptyState>
  );
}
