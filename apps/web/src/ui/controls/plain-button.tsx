import type { ButtonHTMLAttributes } from 'react';
import { joinIds, useAvailability } from './needs-network.tsx';

type PlainButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  needsNetwork?: boolean;
  /** There is no space for the reason, so only screen readers get it. */
  small?: boolean;
};

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
      aria-describedby={joinIds(rest['aria-describedby'], reasonId)}
      onClick={(event) => (offline ? event.preventDefault() : onClick?.(event))}
    >
      {children}
      {reason}
    </button>
  );
}
