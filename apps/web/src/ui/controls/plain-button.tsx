import type { ButtonHTMLAttributes } from 'react';
import { idsOf, useAvailability } from './needs-network.tsx';

type PlainButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** As for `Button` (ADR 341). */
  needsNetwork?: boolean;
  /** There is no room for the reason: it is only read. */
  small?: boolean;
};

/** A button that looks like a link, a word or a row: as its class says. */
export function PlainButton({
  needsNetwork = false,
  small = false,
  className = '',
  onClick,
  children,
  ...rest
}: PlainButtonProps) {
  const { offline, reasonId, reason } = useAvailability(needsNetwork && !rest.disabled, small ? 'vh' : 'why');
  return (
    <button
      type="button"
      {...rest}
      className={offline ? `${className} offline` : className}
      aria-disabled={offline || rest['aria-disabled']}
      aria-describedby={idsOf(rest['aria-describedby'], reasonId)}
      onClick={(event) => (offline ? event.preventDefault() : onClick?.(event))}
    >
      {children}
      {reason}
    </button>
  );
}
