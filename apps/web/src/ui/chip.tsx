import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

type ChipProps = {
  children: ReactNode;
  /** Chosen or not; leave it out for a chip that only opens something. */
  pressed?: boolean;
  icon?: IconName;
  onClick: () => void;
};

/** Something to press that stays pressed: a filter, a choice. A fact is a Badge. */
export function Chip({ children, pressed, icon, onClick }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={onClick}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </button>
  );
}

/** A row of chips that scrolls sideways, or wraps. */
export function Chips({ label, wrap, children }: { label: string; wrap?: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways.
    <div className={wrap ? 'chips wrapd' : 'chips'} role="group" aria-label={label}>
      {children}
    </div>
  );
}
