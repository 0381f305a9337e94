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
import { workStatusWords, workWhen } from '../../work/engagements/engagement.labels.ts';
import { merchantStatusWords } from '../../work/engagements/merchant.labels.ts';

type ListProps = {
  work: readonly EngagementCard[];
  side: Side;
  openId?: string | null;
  onOpen?: ((work: EngagementCard) => void) | null;
  onAgain?: (work: EngagementCard) => void;
};

/** Ended work, latest first: who, when, the terms and the pay. */
export function CompletedList(props: ListProps) {
  return (
    <ul className="card flush long">
      {props.work.map((one) => (
        <Row key={one.id} {...props} one={one} />
      ))}
    </ul>
  );
}

function Row({ one, side, openId, onOpen, onAgain }: ListProps & { one: EngagementCard }) {
  const { t } = useLingui();
  const { terms, business, worker } = one;
  const hiring = side === 'business';
  const name = hiring ? worker.name || t`No name given` : terms.title;
  const words = merchantStatusWords(one);
  const own = workStatusWords(one.status);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const done = one.status === 'completed' || one.status === 'approved';
  const agreed = hiring ? terms.payTotalMinor : terms.workerGetsMinor;
  return (
    <li className={one.id === openId ? 'shift-row sel' : 'shift-row'}>
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
            aria-pressed={one.id === openId}
            onClick={() => onOpen(one)}
          >
            {name}
          </button>
        ) : (
          <Link
            className="shift-open mid break"
            to={hiring ? engagementPath(one.id, 'business') : `/tabs/menu/my-work/engagement/${one.id}`}
          >
            {name}
          </Link>
        )}
        <p className="sm mute">{hiring ? terms.title : business.name}</p>
        <p className="sm mute num">{workWhen(terms)}</p>
        <p className="sm num">
          {done
            ? agreed === one.amountMinor
              ? t`${money(one.amountMinor)}, as agreed`
              : t`${money(one.amountMinor)} of ${money(agreed)} agreed`
            : t`${money(agreed)} was agreed`}
        </p>
      </div>
      <Badge tone={hiring ? words.tone : own.tone}>{hiring ? words.label : own.badge}</Badge>
      <span className="above">
        {hiring ? (
          one.status === 'completed' ? (
            <Button kind="out" size="s" icon="user-plus" needsNetwork onClick={() => onAgain?.(one)}>
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
