import { useLingui } from '@lingui/react/macro';
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { Icon } from '../art/icon.tsx';

type Group = { id: string; join: () => () => void };

const GroupOf = createContext<Group | null>(null);
const GroupIsOff = createContext(false);

/** Gives several controls one `SharedReason` (ADR 341). A nested group uses the outer one's. */
export function ReasonGroup({ children }: { children: ReactNode }) {
  const outer = useContext(GroupOf);
  const id = useId();
  const [members, setMembers] = useState(0);
  const group = useMemo(
    () => ({
      id,
      join: () => {
        setMembers((count) => count + 1);
        return () => setMembers((count) => count - 1);
      },
    }),
    [id],
  );
  if (outer) return <GroupIsOff value={false}>{children}</GroupIsOff>;
  return (
    <GroupOf value={group}>
      <GroupIsOff value={members > 0}>{children}</GroupIsOff>
    </GroupOf>
  );
}

/** Separates a dialog from the group it is rendered in: the page behind it, and the reason there, are inert. */
export function OutsideReasonGroup({ children }: { children: ReactNode }) {
  return <GroupOf value={null}>{children}</GroupOf>;
}

export function SharedReason() {
  const group = useContext(GroupOf);
  const off = useContext(GroupIsOff);
  return group && off ? <OfflineReason id={group.id} className="why shared" isText /> : null;
}

export type Availability = {
  /** Unavailable: `aria-disabled`, and a press does nothing. */
  offline: boolean;
  reasonId: string | undefined;
  reason: ReactNode;
};

/** The state of a control that may be unavailable offline, and the reason to show. */
export function useAvailability(needsNetwork: boolean, className?: string): Availability {
  const online = useOnline();
  const group = useContext(GroupOf);
  const ownId = useId();
  const isOffline = needsNetwork && !online;
  useEffect(() => (isOffline ? group?.join() : undefined), [isOffline, group]);
  if (!isOffline) return { offline: isOffline, reasonId: undefined, reason: null };
  return group
    ? { offline: isOffline, reasonId: group.id, reason: null }
    : {
        offline: isOffline,
        reasonId: ownId,
        reason: <OfflineReason id={ownId} className={className ?? 'why'} />,
      };
}

/**
 * Inside a control the reason is a description and not part of the name; standing alone (`isText`) it is
 * ordinary text.
 */
export function OfflineReason({
  id,
  className,
  isText = false,
}: {
  id: string;
  className: string;
  isText?: boolean;
}) {
  const { t } = useLingui();
  return (
    <span id={id} className={className} aria-hidden={isText ? undefined : true}>
      <Icon name="wifi-slash" />
      {t`Needs a connection`}
    </span>
  );
}

export const joinIds = (...ids: (string | undefined | false)[]): string | undefined =>
  ids.filter(Boolean).join(' ') || undefined;
