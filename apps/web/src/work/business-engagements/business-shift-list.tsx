import { useLingui } from '@lingui/react/macro';
import { engagementPath } from '@nearhand/contract/app-paths';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import './business-work.css';
import { useCanShowCode } from '../attendance/attendance.api.ts';
import {
  businessWorkLine,
  businessWorkText,
  isLate,
  lateText,
  workDay,
} from '../engagements/business-work.labels.ts';
import { claimDoubt, workWhen } from '../engagements/engagement.labels.ts';
import type { BusinessWorkAction } from './business-acts.tsx';
import { groupWork, type JobGroup } from './job-groups.rules.ts';
import { type Replacement, replacementText } from './replacement.tsx';

type ListProps = {
  work: readonly EngagementCard[];
  now: Date;
  onOpen: ((engagementId: string) => void) | null;
  openId: string | null;
  onAct: (action: BusinessWorkAction, work: EngagementCard) => void;
  onCode: (job: JobGroup) => void;
  replacements: readonly Replacement[];
};

const expected: readonly EngagementCard['status'][] = [
  'booked',
  'confirmed',
  'checked_in',
  'in_progress',
  'checked_out',
];

/** Check-in is possible until the shift ends; people who are here or have left may return. */
const mayCheckIn = ({ status, terms }: EngagementCard, now: Date): boolean =>
  terms.endsAt !== null && now.getTime() < Date.parse(terms.endsAt) && expected.includes(status);

/** People on site come before those who left and still owe their hours. */
const leftLast = (work: readonly EngagementCard[]): EngagementCard[] =>
  [...work].sort((a, b) => Number(a.status === 'checked_out') - Number(b.status === 'checked_out'));

export function ShiftList(props: ListProps) {
  const { t } = useLingui();
  const { work, now } = props;
  const canShowCode = useCanShowCode();
  return (
    <div className="shift-groups">
      {groupWork(work, (card) => workDay(card, now)).map(({ day, jobs }) => (
        <section key={day} aria-label={day}>
          <h2 className="h-m">{day}</h2>
          <div className="col mt3">
            {jobs.map((job) => (
              <section key={job.jobId} className="card flush" aria-label={job.title}>
                <div className="shift-job">
                  <h3 className="mid grow break">
                    <bdi>{job.title}</bdi>
                    {/* A task has no hours, and its day is in the group heading. */}
                    {job.first.terms.startsAt ? (
                      <span className="sm mute block">{workWhen(job.first.terms, now)}</span>
                    ) : null}
                  </h3>
                  {job.work.some((card) => mayCheckIn(card, now)) ? (
                    <Button
                      kind="out"
                      size="s"
                      icon="qr-code"
                      needsNetwork={!canShowCode(job.jobId, now)}
                      onClick={() => props.onCode(job)}
                    >
                      {t`Show code`}
                      <span className="vh">: {job.title}</span>
                    </Button>
                  ) : null}
                </div>
                <ul>
                  {leftLast(job.work).map((card) => (
                    <ShiftRow key={card.id} {...props} card={card} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function ShiftRow({ card, now, onOpen, openId, onAct, replacements }: ListProps & { card: EngagementCard }) {
  const { t } = useLingui();
  const name = card.worker.name || t`No name given`;
  const { label, tone } = businessWorkText(card, isLate(card, now));
  const doubt = claimDoubt(card);
  const late = lateText(card);
  const search = replacements.find(({ engagementId }) => engagementId === card.id);
  const quick = card.actions.includes('approve')
    ? ('approve' as const)
    : card.actions.includes('report-no-show') && isLate(card, now)
      ? ('report-no-show' as const)
      : null;
  return (
    <li className={card.id === openId ? 'shift-row sel' : 'shift-row'}>
      <Avatar name={name} src={fileUrl(card.worker.photoPath)} />
      <div className="who">
        {onOpen ? (
          <button
            type="button"
            className="shift-open mid break"
            aria-pressed={card.id === openId}
            onClick={() => onOpen(card.id)}
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <Link className="shift-open mid break" to={engagementPath(card.id, 'business')}>
            <bdi>{name}</bdi>
          </Link>
        )}
        <p className="sm mute">{businessWorkLine(card, now)}</p>
        {late ? <p className="sm mute">{late}</p> : null}
        {search ? <p className="sm">{replacementText(search, now).text}</p> : null}
        {quick ? (
          <p className="mt1">
            <Badge tone={doubt ? 'bad' : tone}>{doubt ?? label}</Badge>
          </p>
        ) : null}
      </div>
      {quick ? null : <Badge tone={tone}>{label}</Badge>}
      {quick === 'approve' && doubt ? (
        <span className="above">
          <ButtonLink kind="out" size="s" to={`/release-payment?engagement=${card.id}`}>
            {t`Review hours`}
            <span className="vh">: {name}</span>
          </ButtonLink>
        </span>
      ) : quick ? (
        <span className="above">
          <Button
            kind={quick === 'approve' ? 'ink' : 'out'}
            size="s"
            needsNetwork
            onClick={() => onAct(quick, card)}
          >
            {quick === 'approve'
              ? t`Approve ${formatMoney(card.amountMinor, card.terms.currency)}`
              : t`Report no-show`}
            <span className="vh">: {name}</span>
          </Button>
        </span>
      ) : null}
    </li>
  );
}
