import { type ReactNode, type Ref, useEffect, useRef } from 'react';
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
  ref?: Ref<HTMLDivElement>;
};

export function Banner({ children, tone, icon, action, bleed, live, ref }: BannerProps) {
  return (
    <div
      ref={ref}
      className={['banner', tone, bleed ? 'bleed' : ''].filter(Boolean).join(' ')}
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
    >
      {icon ? <Icon name={icon} /> : null}
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}

/** The reason why something failed, announced at once and scrolled into view. Renders nothing if `text` is null. */
export function Refused({ text }: { text: string | null }) {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text !== null) banner.current?.scrollIntoView?.({ block: 'nearest' });
  }, [text]);
  return text === null ? null : (
    <Banner tone="bad" icon="warning-circle" live ref={banner}>
      {text}
    </Banner>
  );
}
