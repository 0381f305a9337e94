import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';
import { joinIds, ReasonGroup, SharedReason, useAvailability } from './needs-network.tsx';

type ChipProps = {
  /** The full name, for a text that is only letters of it. */
  label?: string | undefined;
  children: ReactNode;
  pressed?: boolean;
  icon?: IconName;
  /** True if it runs on the server, or shows what only the server has (`useCanShow`, ADR 341). */
  needsNetwork?: boolean;
  onClick: () => void;
};

export function Chip({ children, label, pressed, icon, needsNetwork = false, onClick }: ChipProps) {
  const { offline, reasonId, reason } = useAvailability(needsNetwork, 'vh');
  return (
    <button
      type="button"
      className={offline ? 'chip offline' : 'chip'}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={offline || undefined}
      aria-describedby={joinIds(reasonId)}
      onClick={offline ? undefined : onClick}
    >
      {icon ? <Icon name={icon} /> : null}
      {children}
      {reason}
    </button>
  );
}

/** A row of chips that scrolls sideways, or wraps. The reason why some are unavailable is shown once, below. */
export function Chips({ label, wrap, children }: { label: string; wrap?: boolean; children: ReactNode }) {
  const row = useRef<HTMLDivElement>(null);
  useChosenInSight(row);
  return (
    <ReasonGroup>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll sideways. */}
      <div ref={row} className={wrap ? 'chips wrapd' : 'chips'} role="group" aria-label={label}>
        {children}
      </div>
      <SharedReason />
    </ReasonGroup>
  );
}

/** Scrolls to the selection, which may be beyond a phone's edge. */
function useChosenInSight(row: RefObject<HTMLDivElement | null>): void {
  const lastPressed = useRef<Element | null>(null);
  useEffect(() => {
    const pressed = row.current?.querySelector('[aria-pressed="true"]');
    // Scrolls once per selection: the user's own scrolling is kept, even when the option's count changes.
    if (!row.current || !pressed || pressed === lastPressed.current) return;
    lastPressed.current = pressed;
    const field = row.current.getBoundingClientRect();
    const chip = pressed.getBoundingClientRect();
    const before = chip.left - field.left - margin;
    const beyond = chip.right - field.right + margin;
    if (before < 0) row.current.scrollBy({ left: before });
    else if (beyond > 0) row.current.scrollBy({ left: beyond });
  });
}

/** Leaves the next chip's edge visible, to show that there is more. */
const margin = 40;
