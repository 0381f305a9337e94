import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';

type ChipProps = {
  children: ReactNode;
  /** Selected or not; omit it for a chip that only opens something. */
  pressed?: boolean;
  icon?: IconName;
  onClick: () => void;
};

/** A toggle: a filter, a choice. A fact is a Badge. */
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
  const row = useRef<HTMLDivElement>(null);
  useChosenInSight(row);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways.
    <div ref={row} className={wrap ? 'chips wrapd' : 'chips'} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** A list opened by its address may have its selection beyond a phone's edge. */
function useChosenInSight(row: RefObject<HTMLDivElement | null>): void {
  const seen = useRef<Element | null>(null);
  useEffect(() => {
    const chosen = row.current?.querySelector('[aria-pressed="true"]');
    // Once per selection: scrolling on is kept, even when its count changes.
    if (!row.current || !chosen || chosen === seen.current) return;
    seen.current = chosen;
    const field = row.current.getBoundingClientRect();
    const chip = chosen.getBoundingClientRect();
    const before = chip.left - field.left - margin;
    const beyond = chip.right - field.right + margin;
    if (before < 0) row.current.scrollBy({ left: before });
    else if (beyond > 0) row.current.scrollBy({ left: beyond });
  });
}

/** So that the next one's edge shows that there is more. */
const margin = 40;
