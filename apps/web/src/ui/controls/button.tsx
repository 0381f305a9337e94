import { type ButtonHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { Icon } from '../art/icon.tsx';
import type { IconName } from '../art/icon-names.ts';
import { Link } from './link.tsx';
import { joinIds, OfflineReason, useAvailability } from './needs-network.tsx';

/** `go` is a screen's one primary (orange) action; `ink` the second, `bad` an irreversible one. */
export type ButtonKind = 'go' | 'ink' | 'out' | 'quiet' | 'text' | 'bad' | 'on-pine' | 'ghost-pine';

type Look = {
  kind?: ButtonKind;
  size?: 'm' | 's' | 'xs';
  full?: boolean;
  icon?: IconName;
  className?: string;
};

function classes({ kind = 'quiet', size = 'm', full, className }: Look): string {
  return ['btn', kind, size === 'm' ? '' : size, full ? 'full' : '', className ?? '']
    .filter(Boolean)
    .join(' ');
}

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** While the action runs, further presses are ignored and screen readers announce it. */
    busy?: boolean;
    /**
     * True if the action is unavailable offline. Defaults to true with `busy`; set false for queued or local
     * ones.
     */
    needsNetwork?: boolean;
    ref?: Ref<HTMLButtonElement>;
  };

export function Button({
  kind,
  size,
  full,
  icon,
  className,
  busy,
  needsNetwork = busy !== undefined,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const online = useOnline();
  const isOffline = needsNetwork && !online && !busy && !rest.disabled;
  const reasonId = useId();
  const off = busy || isOffline;
  return (
    <button
      type="button"
      {...rest}
      className={classes({
        kind,
        size,
        full,
        className: isOffline ? `offline ${className ?? ''}` : className,
      })}
      aria-busy={busy || undefined}
      aria-disabled={off || rest['aria-disabled']}
      aria-describedby={joinIds(rest['aria-describedby'], isOffline && reasonId)}
      // Enter in a field presses the form's button, so an unavailable button must not submit it.
      onClick={(event) => (off ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? <span className="spin" aria-hidden="true" /> : icon && !isOffline ? <Icon name={icon} /> : null}
      <Words reasonId={isOffline ? reasonId : undefined}>{children}</Words>
    </button>
  );
}

function Words({ reasonId, children }: { reasonId: string | undefined; children: ReactNode }) {
  return reasonId ? (
    <span className="btn-words">
      <span>{children}</span>
      <OfflineReason id={reasonId} className="btn-why" />
    </span>
  ) : (
    children
  );
}

/** Lets Enter in a field submit a form whose button is outside it, if that button is available. */
export function EnterSubmits({ needsNetwork = true }: { needsNetwork?: boolean }) {
  const online = useOnline();
  return (
    <button
      type="submit"
      className="vh"
      tabIndex={-1}
      aria-hidden="true"
      // A form whose first submit button is disabled isn't submitted by Enter.
      disabled={needsNetwork && !online}
    />
  );
}

type ButtonLinkProps = Look & {
  to: string;
  children: ReactNode;
  replace?: boolean;
  /** True if the linked page is of no use offline: it is only a form, or isn't on the device (`useCanShow`). */
  needsNetwork?: boolean;
  onClick?: () => void;
};

export function ButtonLink({ to, children, icon, replace, needsNetwork, onClick, ...look }: ButtonLinkProps) {
  const isOffline = !useOnline() && needsNetwork === true;
  const reasonId = useId();
  const inner = (
    <>
      {icon && !isOffline ? <Icon name={icon} /> : null}
      <Words reasonId={isOffline ? reasonId : undefined}>{children}</Words>
    </>
  );
  return to.startsWith('/') ? (
    <Link
      to={to}
      replace={replace}
      className={classes({
        ...look,
        className: isOffline ? `offline ${look.className ?? ''}` : look.className,
      })}
      aria-disabled={isOffline || undefined}
      aria-describedby={isOffline ? reasonId : undefined}
      onClick={(event) => (isOffline ? event.preventDefault() : onClick?.())}
    >
      {inner}
    </Link>
  ) : (
    <a href={to} className={classes(look)} onClick={onClick} rel="noopener">
      {inner}
    </a>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  icon: IconName;
  label: string;
  dot?: boolean;
  solid?: boolean;
  flip?: boolean;
  /** True for an action on the server, or one that opens it. */
  needsNetwork?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function IconButton({
  icon,
  label,
  dot,
  solid,
  flip,
  className = '',
  needsNetwork = false,
  onClick,
  ...rest
}: IconButtonProps) {
  const { offline, reasonId, reason } = useAvailability(needsNetwork && !rest.disabled, 'vh');
  return (
    <button
      type="button"
      {...rest}
      className={`ib${solid ? ' solid' : ''}${offline ? ' offline' : ''} ${className}`}
      aria-label={label}
      aria-disabled={offline || rest['aria-disabled']}
      aria-describedby={joinIds(rest['aria-describedby'], reasonId)}
      onClick={(event) => (offline ? event.preventDefault() : onClick?.(event))}
    >
      <Icon name={icon} flip={flip} />
      {offline ? <Icon name="wifi-slash" className="ib-off" /> : null}
      {dot ? <span className="dot" /> : null}
      {reason}
    </button>
  );
}

export function IconLink(props: { icon: IconName; label: string; to: string; dot?: boolean }) {
  return (
    <Link to={props.to} className="ib" aria-label={props.label}>
      <Icon name={props.icon} />
      {props.dot ? <span className="dot" /> : null}
    </Link>
  );
}
