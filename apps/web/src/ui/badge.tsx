import type { ReactNode } from 'react';
import { Icon } from './art/icon.tsx';
import type { IconName } from './art/icon-names.ts';

export type Tone = 'good' | 'wait' | 'bad' | 'here' | 'hot';

type BadgeProps = {
  children: ReactNode;
  /** `good` funded or paid, `wait` a deadline, `bad` failed or disputed, `here` you and information, `hot` rare. */
  tone?: Tone | 'plain' | 'on-pine';
  icon?: IconName;
};

/** A fact, never a button. The word matters, the colour only helps. */
export function Badge({ children, tone, icon }: BadgeProps) {
  return (
    <span className={tone ? `badge ${tone}` : 'badge'}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}

export function Count({ value, label }: { value: number; label: string }) {
  if (value === 0) return null;
  return (
    <span className="count num">
      <span aria-hidden="true">{value > 99 ? '99+' : value}</span>
      <span className="vh">{label}</span>
    </span>
  );
}
