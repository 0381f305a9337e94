import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { engagementPath, writeReviewPath } from '@nearhand/contract/app-paths';
import { shareOfAmount } from '@nearhand/contract/arithmetic';
import { isSettled } from '@nearhand/contract/engagement-statuses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { Fragment, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { csvTime } from '../../lib/forms/csv.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { formatMinutes, formatMoney, joined, minorDigits } from '../../lib/words/format.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { CsvButton } from '../../people/businesses/csv-button.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Avatar, BusinessMark } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { ApprovePlanned } from '../../work/business-engagements/approve-planned.tsx';
import { BusinessWorkDetail } from '../../work/business-engagements/business-work-detail.tsx';
import { businessWorkText } from '../../work/engagements/business-work.labels.ts';
import { workText, workWhen } from '../../work/engagements/engagement.labels.ts';
import {
  engagementsOf,
  useBusinessEngagements,
  useEngagement,
  useMyEngagements,
} from '../../work/engagements/engagements.api.ts';
import { useReviewsDue } from '../../work/engagements/review-links.tsx';
import { SaveWorkers } from '../pools/save-worker.tsx';
import { type Crew, CrewSheet } from '../rebook/crew-sheet.tsx';
import { RebookSheet } from '../rebook/rebook-sheet.tsx';
import '../../work/business-engagements/business-work.css';

export default function CompletedJobScreen() {
  const side = useDeviceSetting(sideSetting);
  return side === 'hire' ? <OfBusiness /> : <OfWorker />;
}

function OfWorker() {
  const { t } = useLingui();
  const query = useMyEngagements('ended');
  return (
    <Screen
      title={t`Finished work`}
      lead={t`Your past jobs, what they paid and who you worked for.`}
      back="/tabs/menu/my-work"
      actions={<ToReviews to="/rating-review" />}
      onRefresh={() => query.refetch()}
    >
      <EndedWork query={query} empty={<NothingDone />}>
        {(work) => <CompletedList work={work} side="worker" />}
      </EndedWork>
    </Screen>
  );
}

function OfBusiness() {
  const { t } = useLingui();
  const wide = useWide();
  const { query: businesses, business } = useCurrentBusiness();
  const isRefused = business != null && !mayOpen(business, '/completed-job');
  const query = useBusinessEngagements(isRefused ? undefined : business?.id, { group: 'ended' });
  const [open, setOpen] = useState<EngagementCard | null>(null);
  const [crew, setCrew] = useState<Crew | null>(null);
  const [again, setAgain] = useState<EngagementCard | null>(null);
  const reviews = useReviewsDue(business?.id, business != null && roleMay(business.role, 'work'));
  const reviewable = new Set(reviews.items.map(({ engagementId }) => engagementId));
  const detail = useEngagement(wide ? open?.id : undefined, 'business');
  if (isRefused) return <NotForRole business={business} screen="/completed-job" title={t`Finished work`} />;
  return (
    <Screen
      title={t`Finished work`}
      lead={t`Who you hired, what it cost and who you'd hire again.`}
      back="/tabs/menu/business"
      inMenu
      actions={<ToReviews to="/business-review?part=to-write" />}
      width="wide"
      aside={
        wide && open ? (
          <div className="business-aside">
            <QueryState
              query={detail}
              loading={<PageSkeleton />}
              errorTitle={t`We couldn't load this job`}
              offlineNote={t`You can make changes when you're back online.`}
            >
              {(work) => <BusinessWorkDetail key={work.id} work={work} level="h2" />}
            </QueryState>
          </div>
        ) : undefined
      }
      asideLabel={t`Selected job`}
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={businesses}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load your business`}
      >
        {() =>
          business ? (
            <>
              <ApprovePlanned businessId={business.id} />
              <EndedWork query={query} empty={<NothingDone hiring />}>
                {(work) => (
                  <div className="col">
                    <SaveFinished work={work} businessId={business.id} />
                    <CompletedList
                      work={work}
                      side="business"
                      reviewable={reviewable}
                      openId={open?.id ?? null}
                      onOpen={wide ? setOpen : null}
                      onAgain={setAgain}
                      onCrew={setCrew}
                    />
                    <SaveWork businessId={business.id} />
                  </div>
                )}
              </EndedWork>
            </>
          ) : (
            <NothingDone hiring />
          )
        }
      </QueryState>
      <RebookSheet
        rebooking={
          again && {
            worker: { workerId: again.worker.id, name: again.worker.name },
            past: { jobId: again.jobId, title: again.terms.title },
          }
        }
        businessId={business?.id}
        onClose={() => setAgain(null)}
      />
      <CrewSheet crew={crew} businessId={business?.id} onClose={() => setCrew(null)} />
    </Screen>
  );
}

/** Saves all finished work of a business: who worked when, with the recorded times and the pay. */
function SaveWork({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  return (
    <CsvButton
      fileName={t`Finished work`}
      head={[t`Name`, t`Job`, t`Start`, t`End`, t`Check-in`, t`Check-out`, t`Status`, t`Pay`, t`Currency`]}
      read={(page) => api.engagements.forBusiness({ businessId, group: 'ended', ...page })}
      rowOf={({ worker, terms, checkedInAt, checkedOutAt, amountMinor, ...work }) => [
        worker.name,
        terms.title,
        csvTime(terms.startsAt, terms.timeZone) ?? terms.dueOn,
        csvTime(terms.endsAt, terms.timeZone),
        csvTime(checkedInAt, terms.timeZone),
        csvTime(checkedOutAt, terms.timeZone),
        businessWorkText(work).label,
        typedFromMinor(amountMinor, minorDigits(terms.currency)),
        terms.currency,
      ]}
    />
  );
}

function ToReviews({ to }: { to: string }) {
  const { t } = useLingui();
  return (
    <ButtonLink kind="out" size="s" icon="star" to={to}>
      {t`Write reviews`}
    </ButtonLink>
  );
}

type Query = ReturnType<typeof useMyEngagements> | ReturnType<typeof useBusinessEngagements>;

function EndedWork({
  query,
  empty,
  children,
}: {
  query: Query;
  empty: React.ReactNode;
  children: (work: EngagementCard[]) => React.ReactNode;
}) {
  const { t } = useLingui();
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton />}
      errorTitle={t`We couldn't load finished work`}
      isEmpty={(data) => engagementsOf(data).length === 0}
      empty={empty}
    >
      {(data) => (
        <>
          {children(engagementsOf(data))}
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

function NothingDone({ hiring = false }: { hiring?: boolean }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nothing finished yet`}
      actions={
        <ButtonLink kind="out" full to={hiring ? '/merchant-ongoing-jobs' : '/tabs/menu/my-work'}>
          {hiring ? t`See who's on shift` : t`See my work`}
        </ButtonLink>
      }
    >
      {hiring ? (
        <Trans>Jobs appear here with what they cost once you approve the hours or the delivery.</Trans>
      ) : (
        <Trans>Jobs appear here with what they paid once your hours or delivery are approved.</Trans>
      )}
    </EmptyState>
  );
}

function SaveFinished({ work, businessId }: { work: readonly EngagementCard[]; businessId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const people = new Map(
    work
      .filter(({ status }) => status === 'completed')
      .map(({ worker, terms }) => [worker.id, { worker, terms }]),
  );
  const close = () => {
    setOpen(false);
    setChosenIds([]);
  };
  if (people.size === 0) return null;
  return (
    <>
      <div>
        <Button kind="quiet" size="s" icon="users" needsNetwork onClick={() => setOpen(true)}>
          {t`Save workers`}
        </Button>
      </div>
      <Sheet
        open={open}
        onClose={close}
        title={t`Save workers in a pool`}
        dock={open ? <SaveWorkers businessId={businessId} workerIds={chosenIds} onDone={close} /> : undefined}
      >
        {people.size > 1 ? (
          <Button
            kind="text"
            size="s"
            onClick={() => setChosenIds(chosenIds.length === people.size ? [] : [...people.keys()])}
          >
            {chosenIds.length === people.size ? t`Deselect all` : t`Select all ${people.size}`}
          </Button>
        ) : null}
        <CheckGroup
          legend={t`Who?`}
          options={[...people.values()].map(({ worker, terms }) => ({
            value: worker.id,
            label: worker.name,
            help: terms.title,
          }))}
          value={chosenIds}
          onChange={setChosenIds}
        />
      </Sheet>
    </>
  );
}

type ListProps = {
  work: readonly EngagementCard[];
  side: Side;
  /** The work that the business can still review, by its id. */
  reviewable?: ReadonlySet<string>;
  openId?: string | null;
  onOpen?: ((work: EngagementCard) => void) | null;
  onAgain?: (work: EngagementCard) => void;
  onCrew?: (crew: Crew) => void;
};

function CompletedList(props: ListProps) {
  return (
    <ul className="card flush long">
      {props.work.map((card) => (
        <Fragment key={card.id}>
          <CrewRow card={card} crew={crewOf(card, props.work)} onCrew={props.onCrew} />
          <EndedWorkRow
            {...props}
            card={card}
            inCrew={props.side === 'business' && crewmates(card, props.work).length > 1}
          />
        </Fragment>
      ))}
    </ul>
  );
}

/** Everyone in the list who completed the same shift; empty for other work. */
const crewmates = (
  { jobId, status, terms }: EngagementCard,
  work: readonly EngagementCard[],
): EngagementCard[] =>
  terms.kind === 'shift' && status === 'completed'
    ? work.filter((card) => card.jobId === jobId && card.status === 'completed')
    : [];

/** The crew of a shift. Null for fewer than two people, and on all rows but the first. */
function crewOf(card: EngagementCard, work: readonly EngagementCard[]): Crew | null {
  const crew = crewmates(card, work);
  if (crew.length < 2 || crew[0]?.id !== card.id) return null;
  return {
    jobId: card.jobId,
    people: crew.map(({ worker }) => ({ workerId: worker.id, name: worker.name })),
  };
}

/** The shift above its people, which books all of them again. */
function CrewRow({
  card: { terms },
  crew,
  onCrew,
}: Pick<ListProps, 'onCrew'> & { card: EngagementCard; crew: Crew | null }) {
  const { t } = useLingui();
  if (!crew || !onCrew) return null;
  return (
    <li className="li">
      <div className="grow">
        <h2 className="h-s break">{terms.title}</h2>
        <p className="sm mute">
          {joined(workWhen(terms), t`${plural(crew.people.length, { one: '# person', other: '# people' })}`)}
        </p>
      </div>
      <Button kind="out" size="s" icon="users" needsNetwork onClick={() => onCrew(crew)}>
        {t`Book crew again`}
        <span className="vh">: {terms.title}</span>
      </Button>
    </li>
  );
}

type RowProps = ListProps & {
  card: EngagementCard;
  /** The row above names the shift. */
  inCrew: boolean;
};

function EndedWorkRow({ card, side, inCrew, reviewable, openId, onOpen, onAgain }: RowProps) {
  const { t } = useLingui();
  const { terms, business, worker } = card;
  const isHiring = side === 'business';
  const name = isHiring ? worker.name || t`No name given` : terms.title;
  const words = businessWorkText(card);
  const statusText = workText(card);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const isFinished = isSettled(card.status);
  const feeMinor = shareOfAmount(card.amountMinor, terms.businessFeeBasisPoints);
  const agreed = isHiring ? terms.payTotalMinor : terms.workerGetsMinor;
  return (
    <li className={card.id === openId ? 'shift-row sel' : 'shift-row'}>
      {isHiring ? (
        <Avatar name={name} src={fileUrl(worker.photoPath)} />
      ) : (
        <BusinessMark category={terms.category} src={fileUrl(business.logoPath)} />
      )}
      <div className="who">
        {onOpen ? (
          <button
            type="button"
            className="shift-open mid break"
            aria-pressed={card.id === openId}
            onClick={() => onOpen(card)}
          >
            {name}
          </button>
        ) : (
          <Link
            className="shift-open mid break"
            to={isHiring ? engagementPath(card.id, 'business') : `/tabs/menu/my-work/engagement/${card.id}`}
          >
            {name}
          </Link>
        )}
        {inCrew ? null : (
          <>
            <p className="sm mute">{isHiring ? terms.title : business.name}</p>
            <p className="sm mute num">{workWhen(terms)}</p>
          </>
        )}
        <p className="sm num">
          {isFinished
            ? agreed === card.amountMinor
              ? t`${money(card.amountMinor)}, as agreed`
              : t`${money(card.amountMinor)} of ${money(agreed)} agreed`
            : t`${money(agreed)} was agreed`}
        </p>
        {isHiring && isFinished ? (
          <p className="sm mute num">
            {joined(
              agreed === card.amountMinor && terms.paidMinutes !== null && formatMinutes(terms.paidMinutes),
              feeMinor > 0 && t`${money(card.amountMinor + feeMinor)} with our fee of ${money(feeMinor)}`,
            )}
          </p>
        ) : null}
      </div>
      <Badge tone={isHiring ? words.tone : statusText.tone}>
        {isHiring ? words.label : statusText.badge}
      </Badge>
      <span className="above row g2 wrap if-any">
        {isHiring && reviewable?.has(card.id) ? (
          <ButtonLink
            kind="out"
            size="s"
            icon="star"
            to={writeReviewPath('business', { engagementId: card.id, businessId: business.id })}
          >
            {t`Review`}
            <span className="vh">: {name}</span>
          </ButtonLink>
        ) : null}
        {isHiring ? (
          card.status === 'completed' ? (
            <Button kind="out" size="s" icon="user-plus" needsNetwork onClick={() => onAgain?.(card)}>
              {t`Hire again`}
              <span className="vh">: {name}</span>
            </Button>
          ) : null
        ) : (
          <ButtonLink kind="out" size="s" to={`/nearby-jobs-list?q=${encodeURIComponent(business.name)}`}>
            {t`Other jobs here`}
            <span className="vh">: {business.name}</span>
          </ButtonLink>
        )}
      </span>
    </li>
  );
}
