import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

type BannerProps = {
  children: ReactNode;
  tone?: Exclude<Tone, 'hot'>;
  icon?: IconName;
  /** A button or link at the end. */
  action?: ReactNode;
  /** From edge to edge. */
  bleed?: boolean;
  /** Read out when it appears. */
  live?: boolean;
};

/** A line of news inside a page. */
export function Banner({ children, tone, icon, action, bleed, live }: BannerProps) {
  return (
    <div
      className={['banner', tone, bleed ? 'bleed' : ''].filter(Boolean).join(' ')}
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
    >
      {icon ? <Icon name={icon} /> : null}
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}

/** Why something was not done, read out at once; nothing while nothing was refused. */
export function Refused({ text }: { text: string | null }) {
  return text === null ? null : (
    <Banner tone="bad" icon="warning-circle" live>
      {text}
    </Banner>
  );
}
