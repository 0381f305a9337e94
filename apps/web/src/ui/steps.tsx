import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

export function Steps({ now, total, label }: { now: number; total: number; label?: string }) {
  const { t } = useLingui();
  return (
    <div className="steps" role="img" aria-label={label ?? t`Step ${now} of ${total}`}>
      {Array.from({ length: total }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its index.
        <i key={index} className={index < now ? 'on' : ''} />
      ))}
    </div>
  );
}

export type TimelineItem = {
  title: ReactNode;
  note?: ReactNode;
  time?: ReactNode;
  state: 'done' | 'now' | 'next';
};

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className="tl">
      {items.map((item, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its index.
          key={index}
          className={item.state === 'done' ? '' : item.state}
          aria-current={item.state === 'now' ? 'step' : undefined}
        >
          <span className="pt">
            <Point state={item.state} />
          </span>
          <div>
            <p className={item.state === 'now' ? 'strong' : 'mid'}>{item.title}</p>
            {item.note ? <p className="d">{item.note}</p> : null}
          </div>
          {item.time ? <span className="w">{item.time}</span> : null}
        </li>
      ))}
    </ol>
  );
}

function Point({ state }: { state: TimelineItem['state'] }) {
  if (state === 'done') {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="6" fill="var(--text)" />
      </svg>
    );
  }
  if (state === 'next') {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="5" fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="1.5" />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10.5" fill="none" stroke="var(--text)" strokeWidth="1.25" />
      <circle cx="12" cy="12" r="7" fill="none" stroke="var(--text)" strokeWidth="1.25" />
      <circle cx="12" cy="12" r="3.6" fill="var(--action)" />
    </svg>
  );
}
