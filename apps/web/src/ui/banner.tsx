import type { ReactNode } from 'react';
import { Icon } from './art/icon.tsx';
import type { IconName } from './art/icon-names.ts';
import type { Tone } from './badge.tsx';

type BannerProps = {
  children: ReactNode;
  tone?: Exclude<Tone, 'hot'>;
  icon?: IconName;
  action?: ReactNode;
  bleed?: boolean;
  live?: boolean;
};

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

/** The reason why something failed, announced at once; empty without a refusal. */
export function Refused({ text }: { text: string | null }) {
  return text === null ? null : (
    <Banner tone="bad" icon="warning-circle" live>
      {text}
    </Banner>
  );
}
