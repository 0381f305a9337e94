import type { ReactNode } from 'react';
import { Icon } from './art/icon.tsx';
import { HeaderRings } from './art/rings.tsx';
import { Link } from './controls/link.tsx';
import { joinIds, useAvailability } from './controls/needs-network.tsx';

type CardProps = {
  children: ReactNode;
  selected?: boolean;
  flush?: boolean;
  dashed?: boolean;
  roomy?: boolean;
  as?: 'div' | 'section' | 'article' | 'li';
  label?: string;
};

export function Card({ children, selected, flush, dashed, roomy, as: Tag = 'div', label }: CardProps) {
  const classes = ['card', selected && 'sel', flush && 'flush', dashed && 'dash', roomy && 'p5'];
  return (
    <Tag className={classes.filter(Boolean).join(' ')} aria-label={label}>
      {children}
    </Tag>
  );
}

/** A screen's one highlighted (dark green) card: pay, state, balance or cost. */
export function PineCard({
  children,
  rings = true,
  label,
}: {
  children: ReactNode;
  rings?: boolean;
  label?: string;
}) {
  return (
    <section className="pinecard" aria-label={label}>
      {rings ? <HeaderRings corner="end" /> : null}
      {children}
    </section>
  );
}

/** A figure with its name above and a note below. */
export function StatTile({
  label,
  value,
  note,
  ring,
}: {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
  ring?: ReactNode;
}) {
  return (
    <div className="tile">
      <p className="l">
        {ring}
        {label}
      </p>
      <p className="v">{value}</p>
      {note ? <p className="n">{note}</p> : null}
    </div>
  );
}

type RowProps = {
  title: ReactNode;
  note?: ReactNode;
  lead?: ReactNode;
  end?: ReactNode;
  to?: string;
  onClick?: () => void;
  /** True if `onClick` runs on the server, or the page of `to` isn't on the device (ADR 341). */
  needsNetwork?: boolean;
};

/** A list row. With `to` or `onClick` the whole row is clickable and shows a caret. */
export function ListRow({ title, note, lead, end, to, onClick, needsNetwork = false }: RowProps) {
  const { offline, reasonId, reason } = useAvailability(needsNetwork && (to ?? onClick) !== undefined);
  const inner = (
    <>
      {lead}
      <span className="grow">
        <span className="t block">{title}</span>
        {note && !reason ? <span className="sm mute block">{note}</span> : null}
        {reason}
      </span>
      {end}
      {(to || onClick) && !offline ? <Icon name="caret-right" flip className="mute caret" /> : null}
    </>
  );
  if (to) {
    return (
      <Link
        className={offline ? 'li press offline' : 'li press'}
        to={to}
        aria-disabled={offline || undefined}
        aria-describedby={joinIds(reasonId)}
        onClick={offline ? (event) => event.preventDefault() : undefined}
      >
        {inner}
      </Link>
    );
  }
  return onClick ? (
    <button
      type="button"
      className={offline ? 'li press offline' : 'li press'}
      aria-disabled={offline || undefined}
      aria-describedby={joinIds(reasonId)}
      onClick={offline ? undefined : onClick}
    >
      {inner}
    </button>
  ) : (
    <div className="li">{inner}</div>
  );
}

export function Fact({
  icon,
  title,
  note,
  end,
}: {
  icon: Parameters<typeof Icon>[0]['name'];
  title: ReactNode;
  note?: ReactNode;
  end?: ReactNode;
}) {
  return (
    <div className={end ? 'row top fact-row' : ''}>
      <div className="fact grow">
        <Icon name={icon} />
        <div>
          <p className="t">{title}</p>
          {note ? <p className="d">{note}</p> : null}
        </div>
      </div>
      {end}
    </div>
  );
}

/** One line of a sum; `total` is the last. */
export function SumRow({ label, value, total }: { label: ReactNode; value: ReactNode; total?: boolean }) {
  return (
    <div className={total ? 'sum total' : 'sum'}>
      <span className="k">{label}</span>
      <span>{value}</span>
    </div>
  );
}
