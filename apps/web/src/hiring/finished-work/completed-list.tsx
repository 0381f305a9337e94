import { useLingui } from '@lingui/react/macro';
import type { Side } from '@nearhand/contract/sides';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Avatar, BusinessMark } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import '../../work/business-engagements/merchant.css';
import { engagementPath } from '@nearhand/contract/app-paths';
import { workStatusText, workWhen } from '../../work/engagements/engagement.labels.ts';
import { merchantStatusText } from '../../work/engagements/merchant.labels.ts';
import type { Crew } from '../rebook/crew-sheet.tsx';

type ListProps = {
  work: readonly EngagementCard[];
  side: Side;
  openId?: string | null;
  onOpen?: ((work: EngagementCard) => void) | null;
  onAgain?: (work: EngagementCard) => void;
  onCrew?: (crew: Crew) => void;
};

export function CompletedList(props: ListProps) {
  return (
    <ul className="card flush long">
      {props.work.map((card) => (
        <Row key={card.id} {...props} card={card} crew={crewOf(card, props.work)} />
      ))}
    </ul>
  );
}

/** Everyone in the list who completed the same shift, once there are two; said on the first of them. */
function crewOf({ id, jobId, terms }: EngagementCard, work: readonly EngagementCard[]): Crew | null {
  const finished = work.filter((card) => card.jobId === jobId && card.status === 'completed');
  if (terms.kind !== 'shift' || finished.length < 2 || finished[0]?.id !== id) return null;
  return { jobId, people: finished.map(({ worker }) => ({ workerId: worker.id, name: worker.name })) };
}

function Row({
  card,
  crew,
  side,
  openId,
  onOpen,
  onAgain,
  onCrew,
}: ListProps & { card: EngagementCard; crew: Crew | null }) {
  const { t } = useLingui();
  const { terms, business, worker } = card;
  const hiring = side === 'business';
  const name = hiring ? worker.name || t`No name given` : terms.title;
  const words = merchantStatusText(card);
  const statusText = workStatusText(card.status);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const isFinished = card.status === 'completed' || card.status === 'approved';
  const agreed = hiring ? terms.payTotalMinor : terms.workerGetsMinor;
  return (
    <li className={card.id === openId ? 'shift-row sel' : 'shift-row'}>
      {hiring ? (
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
            to={hiring ? engagementPath(card.id, 'business') : `/tabs/menu/my-work/engagement/${card.id}`}
          >
            {name}
          </Link>
        )}
        <p className="sm mute">{hiring ? terms.title : business.name}</p>
        <p className="sm mute num">{workWhen(terms)}</p>
        <p className="sm num">
          {isFinished
            ? agreed === card.amountMinor
              ? t`${money(card.amountMinor)}, as agreed`
              : t`${money(card.amountMinor)} of ${money(agreed)} agreed`
            : t`${money(agreed)} was agreed`}
        </p>
      </div>
      <Badge tone={hiring ? words.tone : statusText.tone}>{hiring ? words.label : statusText.badge}</Badge>
      <span className="above row g2 wrap">
        {hiring && crew ? (
          <Button kind="out" size="s" icon="users" needsNetwork onClick={() => onCrew?.(crew)}>
            {t`Book crew again`}
            <span className="vh">: {terms.title}</span>
          </Button>
        ) : null}
        {hiring ? (
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
