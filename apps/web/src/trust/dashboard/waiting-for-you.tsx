import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { engagementPath, teamPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs } from '@nearhand/contract/durations';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import type { ReactNode } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { decideBy } from '../../lib/words/decide-by.ts';
import { formatDate, formatLeftShort, formatMoney, joined } from '../../lib/words/format.ts';
import { BudgetRequests } from '../../money/budgets/budgets.tsx';
import { useWallet } from '../../money/wallet/wallet.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { ApprovePlanned } from '../../work/business-engagements/approve-planned.tsx';
import { businessWorkLine, lateText } from '../../work/engagements/business-work.labels.ts';
import { engagementsOf, useBusinessEngagements } from '../../work/engagements/engagements.api.ts';
import { useReviewsDue } from '../../work/engagements/review-links.tsx';
import { useApplicantsToDecide, useLateWork } from './dashboard.api.ts';

const shownRows = 4;

type WaitingProps = {
  business: Business;
  drafts: number;
  expired: number;
  /** True if `FirstSteps` is above: an empty list is then left out. */
  isNew: boolean;
};

/** Late people first, then a business's tasks with a deadline, soonest first, then the rest. */
function useTasks(business: Business) {
  const query = useApplicantsToDecide(business.id);
  const money = useMoneyToDo(business);
  const reviews = useReviewsDue(business.id, roleMay(business.role, 'work'));
  const late = useLateWork(business.id);
  const waiting = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter((applicant) => decideBy(applicant, business.timeZone) !== null)
    .sort((a, b) => Date.parse(a.decideBy) - Date.parse(b.decideBy));
  // Someone who applied for several jobs has one row, at their first deadline.
  const people = byWorker(waiting).slice(0, shownRows);
  const timed = [
    ...money.toApprove.map((work) => ({ at: work.next?.at ?? '~', work, applicant: null })),
    ...people.flatMap(([first]) => (first ? { at: first.decideBy, work: null, applicant: first } : [])),
  ].sort((a, b) => a.at.localeCompare(b.at));
  const isLoaded =
    query.data !== undefined && money.query.data !== undefined && reviews.isLoaded && late.isLoaded;
  return {
    query,
    late,
    money,
    reviews,
    waiting,
    people,
    timed,
    isLoaded,
    isWhole: isLoaded && !query.hasNextPage,
    failed: [query, money.query, reviews.query, late.query].find(
      ({ error, data }) => error !== null && data === undefined,
    ),
  };
}

/**
 * The business's tasks: people who are late for a shift, then applicants and payments to release, soonest deadline first,
 * then drafts and expired jobs.
 */
export function WaitingForYou({ business, drafts, expired, isNew }: WaitingProps) {
  const { t } = useLingui();
  const online = useOnline();
  const { query, money, reviews, late, waiting, people, timed, isLoaded, isWhole, failed } =
    useTasks(business);
  const { timeZone } = business;
  const main =
    late.count > 0
      ? undefined
      : timed.find(({ work, applicant }) => work !== null || applicant.status === 'submitted');
  const counts = joined(
    late.count > 0 && t`${plural(late.count, { one: '# person late', other: '# people late' })}`,
    waiting.length > 0 && t`${plural(waiting.length, { one: '# application', other: '# applications' })}`,
    money.count > 0 && t`${plural(money.count, { one: '# payment', other: '# payments' })}`,
  );
  const isEmpty =
    isLoaded &&
    late.count === 0 &&
    timed.length === 0 &&
    drafts === 0 &&
    expired === 0 &&
    money.owed.length === 0 &&
    reviews.items.length === 0;

  if (isEmpty && isNew && business.budgetRequests === 0) return null;
  return (
    <>
      {business.budgetRequests > 0 ? <BudgetRequests businessId={business.id} /> : null}
      <ApprovePlanned businessId={business.id} />
      <Card as="section" flush label={t`Waiting for you`}>
        <div className="card-head">
          <h2 className="h-m grow">{t`Waiting for you`}</h2>
          {late.count + timed.length > 0 ? (
            <span className="sm mute">{isWhole ? counts : t`Soonest first`}</span>
          ) : null}
        </div>
        {query.isPending && !query.error ? (
          <div className="waiting-rows">
            <RowsSkeleton count={3} />
          </div>
        ) : null}
        <ul className="waiting-rows">
          <LateRows late={late} />
          <OwedRows owed={money.owed} />
          {timed.map((item) =>
            item.work ? (
              <ReleaseLine key={item.work.id} work={item.work} first={item === main} />
            ) : (
              <ApplicantLine
                key={item.applicant.id}
                applicant={item.applicant}
                timeZone={timeZone}
                others={(people.find(([first]) => first === item.applicant)?.length ?? 1) - 1}
                first={item === main}
              />
            ),
          )}
          <MoreToDo
            more={{
              applications: waiting.length - sumOf(people, (applications) => applications.length),
              isExact: isWhole,
              payments: money.count - money.toApprove.length,
            }}
          />
          <JobsAndReviews drafts={drafts} expired={expired} reviews={reviews} timeZone={timeZone} />
        </ul>
        {!online && !isLoaded ? (
          <OfflineNote hasRows={late.count + timed.length > 0} />
        ) : failed ? (
          <LoadFailed
            text={
              failed === query
                ? t`We couldn't load your applicants.`
                : failed === reviews.query
                  ? t`We couldn't load what you can review.`
                  : failed === late.query
                    ? t`We couldn't load who's late.`
                    : t`We couldn't load pending payments.`
            }
            query={failed}
          />
        ) : null}
        {isEmpty ? (
          <p className="waiting-note mute">
            <Trans>
              Nothing is waiting for you. New applicants appear here with the time you have left to reply.
            </Trans>
          </p>
        ) : null}
      </Card>
    </>
  );
}

/** The payments to release, soonest deadline first: the tasks of a finance member, who sees no applicants. */
export function PaymentsToRelease({ business }: { business: Business }) {
  const { t } = useLingui();
  const online = useOnline();
  const { toApprove, count, owed, query, wallet } = useMoneyToDo(business);
  const isLoaded = query.data !== undefined && wallet.data !== undefined;
  const isEmpty = isLoaded && count === 0 && owed.length === 0;
  const failed = [query, wallet].find(({ error, data }) => error !== null && data === undefined);
  return (
    <Card as="section" flush label={t`Waiting for you`}>
      <div className="card-head">
        <h2 className="h-m grow">{t`Waiting for you`}</h2>
        {count > 0 ? (
          <span className="sm mute">
            <Plural value={count} one="# payment" other="# payments" />
          </span>
        ) : null}
      </div>
      {query.isLoading ? (
        <div className="waiting-rows">
          <RowsSkeleton count={2} />
        </div>
      ) : null}
      <ul className="waiting-rows">
        <OwedRows owed={owed} />
        {toApprove.map((work, index) => (
          <ReleaseLine key={work.id} work={work} first={index === 0} />
        ))}
        <MoreToDo more={{ applications: 0, isExact: true, payments: count - toApprove.length }} />
      </ul>
      {failed && online ? <LoadFailed text={t`We couldn't load pending payments.`} query={failed} /> : null}
      {!online && query.data === undefined ? <OfflineNote hasRows={false} /> : null}
      {isEmpty ? (
        <p className="waiting-note mute">
          <Trans>Nothing is waiting for you. Hours and work to approve appear here.</Trans>
        </p>
      ) : null}
    </Card>
  );
}

/** People who have not checked in to a shift that has started, the longest wait first. */
function LateRows({ late: { work, count } }: { late: ReturnType<typeof useLateWork> }) {
  const { t } = useLingui();
  const now = useNow();
  const more = count - work.length;
  return (
    <>
      {work.map((card, index) => (
        <TaskRow
          key={card.id}
          lead={<IconSign icon="clock" colour="clay" round />}
          title={t`${card.worker.name || t`Someone without a name`} is late`}
          note={joined(card.terms.title, businessWorkLine(card, now), lateText(card))}
          to={engagementPath(card.id, 'business')}
          action={t`Open`}
          main={index === 0}
        />
      ))}
      {more > 0 ? (
        <TaskRow
          lead={<IconSign icon="users-three" round />}
          title={<Plural value={more} one="# more person is late" other="# more people are late" />}
          note={t`The start time has passed and they haven't checked in.`}
          to="/merchant-ongoing-jobs?group=late"
          action={t`Open`}
        />
      ) : null}
    </>
  );
}

function OwedRows({ owed }: Pick<ReturnType<typeof useMoneyToDo>, 'owed'>) {
  const { t } = useLingui();
  return owed.map(({ currency, owedMinor }) => (
    <TaskRow
      key={currency}
      lead={<IconSign icon="coins" round />}
      title={t`You still owe ${formatMoney(owedMinor, currency)}`}
      note={t`You approved it, but the funds set aside didn't cover it.`}
      to="/release-payment"
      action={t`Pay now`}
    />
  ));
}

function JobsAndReviews({
  drafts,
  expired,
  reviews,
  timeZone,
}: Pick<WaitingProps, 'drafts' | 'expired'> & {
  reviews: ReturnType<typeof useReviewsDue>;
  timeZone: string;
}) {
  const { t } = useLingui();
  const [review] = reviews.items;
  const toReview = new Set(reviews.items.map(({ worker }) => worker.id)).size;
  return (
    <>
      {drafts > 0 ? (
        <TaskRow
          lead={<IconSign icon="note-pencil" round />}
          title={<Plural value={drafts} one="# draft to finish" other="# drafts to finish" />}
          note={t`Workers can't see it yet.`}
          to="/listed-job?status=draft"
          action={t`Open drafts`}
        />
      ) : null}
      {review ? (
        <TaskRow
          lead={<IconSign icon="star" round />}
          title={<Plural value={toReview} one="# person to review" other="# people to review" />}
          note={t`${review.jobTitle}, until ${formatDate(review.closesAt, timeZone)}`}
          to={reviews.path}
          action={t`Write a review`}
        />
      ) : null}
      {expired > 0 ? (
        <TaskRow
          lead={<IconSign icon="hourglass" round />}
          title={<Plural value={expired} one="# job has expired" other="# jobs have expired" />}
          note={t`Reopen it so workers can find it, or close it.`}
          to="/listed-job?status=expired"
          action={t`View jobs`}
        />
      ) : null}
    </>
  );
}

/** Links to what is not listed. Not `isExact` while further pages may have more applications. */
function MoreToDo({ more }: { more: { applications: number; isExact: boolean; payments: number } }) {
  const { t } = useLingui();
  return (
    <>
      {more.applications > 0 ? (
        <TaskRow
          lead={<IconSign icon="users-three" round />}
          title={
            more.isExact ? (
              <Plural
                value={more.applications}
                one="# more application to decide on"
                other="# more applications to decide on"
              />
            ) : (
              t`More applications to decide on`
            )
          }
          note={t`They see the date you'll reply by.`}
          to="/all-job-applicants"
          action={t`Show applicants`}
        />
      ) : null}
      {more.payments > 0 ? (
        <TaskRow
          lead={<IconSign icon="hand-coins" round />}
          title={
            <Plural
              value={more.payments}
              one="# more payment to release"
              other="# more payments to release"
            />
          }
          note={t`Hours and work submitted to you.`}
          to="/release-payment"
          action={t`Open`}
        />
      ) : null}
    </>
  );
}

function OfflineNote({ hasRows }: { hasRows: boolean }) {
  return (
    <p className="waiting-note mute row g2">
      <Icon name="wifi-slash" />
      <span>
        {hasRows ? (
          <Trans>Some of it isn't kept on this device. You'll see it when you're back online.</Trans>
        ) : (
          <Trans>
            Applicants and payments aren't kept on this device. You'll see them when you're back online.
          </Trans>
        )}
      </span>
    </p>
  );
}

function LoadFailed({
  text,
  query,
}: {
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}) {
  const { t } = useLingui();
  return (
    <div className="waiting-note">
      <p className="mute">{text}</p>
      <Button
        kind="out"
        size="s"
        className="mt3"
        icon="arrows-clockwise"
        busy={query.isFetching}
        needsNetwork={false}
        onClick={() => void query.refetch()}
      >
        {t`Try again`}
      </Button>
    </div>
  );
}

type FirstStepsProps = {
  business: Business;
  /** True if it has posted a job; undefined until its jobs are loaded. */
  hasPosted: boolean | undefined;
};

/**
 * The next steps of a business that isn't verified, as far as it has not taken them. For members who can change
 * its details; the verification itself is in `BusinessStatusCard`.
 */
export function FirstSteps({ business, hasPosted }: FirstStepsProps) {
  const { t } = useLingui();
  const wallet = useWallet(business.id).data;
  return (
    <Card as="section" flush label={t`First steps`}>
      <div className="card-head">
        <h2 className="h-m grow">{t`First steps`}</h2>
      </div>
      <ul className="waiting-rows">
        {hasPosted === undefined ? null : hasPosted ? (
          <TaskRow
            lead={<IconSign icon="magnifying-glass" round />}
            title={t`Invite workers`}
            note={t`Search people nearby and invite them to your job.`}
            to="/find-workers"
            action={t`Find workers`}
            main
          />
        ) : (
          <TaskRow
            lead={<IconSign icon="note-pencil" round />}
            title={t`Post your first job`}
            note={t`Workers nearby see it right away.`}
            to="/create-job"
            action={t`Create job`}
            main
          />
        )}
        {wallet?.canManage && wallet.cards.length === 0 ? (
          <TaskRow
            lead={<IconSign icon="coins" round />}
            title={t`Add a card`}
            note={t`It pays for the people you hire.`}
            to="/tabs/menu/business?cards"
            action={t`Add card`}
          />
        ) : null}
        <TaskRow
          lead={<IconSign icon="users-three" round />}
          title={t`Invite your team`}
          note={t`Managers, recruiters, coordinators and finance, each with their own account.`}
          to={teamPath(business.id)}
          action={t`Open team`}
        />
      </ul>
    </Card>
  );
}

const byWorker = (applicants: readonly Applicant[]): Applicant[][] => [
  ...Map.groupBy(applicants, ({ worker }) => worker.workerId).values(),
];

const shownReleases = 3;

/** Empty for those who can't release pay. */
function useMoneyToDo({ id: businessId, role }: Business) {
  const mayPay = roleMay(role, 'pay');
  const query = useBusinessEngagements(businessId, { group: 'to_approve' });
  const toApprove = engagementsOf(query.data)
    .filter(({ actions }) => actions.includes('approve'))
    .sort((a, b) => (a.next?.at ?? '~').localeCompare(b.next?.at ?? '~'))
    .slice(0, shownReleases);
  const count = mayPay ? (query.data?.pages[0]?.counts?.to_approve ?? 0) : 0;
  const wallet = useWallet(businessId);
  const owed = (wallet.data?.balances ?? []).filter(({ owedMinor }) => owedMinor > 0);
  return { toApprove, count, owed, query, wallet };
}

/** Less than a day is left. */
const isUrgent = (at: string, now: Date): boolean => Date.parse(at) - now.getTime() < dayMs;

export function ReleaseLine({ work, first }: { work: EngagementCard; first: boolean }) {
  const { t } = useLingui();
  const now = useNow();
  const name = work.worker.name || t`Someone without a name`;
  const { terms, next } = work;
  const at = next ? formatDate(next.at, terms.timeZone, now) : '';
  const consequenceText = () => {
    if (next?.kind === 'auto-approve' || next?.kind === 'approve-planned')
      return t`pays out automatically ${at}`;
    if (next?.kind !== 'review') return null;
    const money = formatMoney(next.amountMinor ?? 0, terms.currency);
    return next.amountMinor ? t`${money} is paid and a dispute opens ${at}` : t`a dispute opens ${at}`;
  };
  const consequence = consequenceText();
  const term = consequence === null ? null : next;
  return (
    <TaskRow
      lead={
        term ? (
          <ClockRing left={shareLeft(term.since, term.at, now)} isUrgent={isUrgent(term.at, now)}>
            {formatLeftShort(term.at, now)}
          </ClockRing>
        ) : (
          <IconSign icon="hand-coins" round />
        )
      }
      title={t`Release payment to ${name}`}
      note={joined(terms.title, formatMoney(work.amountMinor, terms.currency), consequence)}
      to={`/release-payment?engagement=${work.id}`}
      action={work.terms.kind === 'shift' ? t`Review hours` : t`Review work`}
      main={first}
    />
  );
}

function ApplicantLine({
  applicant,
  timeZone,
  others,
  first,
}: {
  applicant: Applicant;
  timeZone: string;
  /** Further jobs that the same person applied for. */
  others: number;
  first: boolean;
}) {
  const { t } = useLingui();
  const now = useNow();
  const clock = decideBy(applicant, timeZone);
  const name = applicant.worker.name || t`Someone without a name`;
  const isFresh = applicant.status === 'submitted';
  return (
    <TaskRow
      lead={
        clock ? (
          <ClockRing left={clock.share} isUrgent={isUrgent(applicant.decideBy, now)}>
            {clock.short}
          </ClockRing>
        ) : null
      }
      title={name}
      note={joined(
        others > 0
          ? t`${applicant.jobTitle} and ${plural(others, { one: '# other job', other: '# other jobs' })}`
          : applicant.jobTitle,
        clock && t`decide by ${clock.by}`,
      )}
      to={`/worker-details/${applicant.worker.workerId}?application=${applicant.id}`}
      action={isFresh ? t`Open` : t`Review again`}
      main={first}
    />
  );
}

type RowProps = {
  lead: ReactNode;
  title: ReactNode;
  note: ReactNode;
  to: string;
  action: string;
  main?: boolean;
};

/** The whole row is a link on a phone; a desktop has a button. */
function TaskRow({ lead, title, note, to, action, main }: RowProps) {
  const wide = useWide();
  const inner = (
    <>
      <span className="waiting-lead">{lead}</span>
      <span className="grow">
        <span className="t strong block">{title}</span>
        <span className="sm mute block">{note}</span>
      </span>
    </>
  );
  if (!wide) {
    return (
      <li>
        <Link className="li press" to={to}>
          {inner}
          <Icon name="caret-right" flip className="mute caret" />
        </Link>
      </li>
    );
  }
  return (
    <li className="li">
      {inner}
      <ButtonLink kind={main ? 'ink' : 'quiet'} size="s" to={to}>
        {action}
        <span className="vh">: {title}</span>
      </ButtonLink>
    </li>
  );
}
