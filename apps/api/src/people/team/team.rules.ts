import type { MemberRole } from '@nearhand/contract/member-roles';

/** A change of owners that is undone. A removal has no `toRole`, someone new no `fromRole`. */
type OwnerMove = {
  accountId: string | null;
  fromRole: MemberRole | null;
  fromBranchIds: readonly string[] | null;
  toRole: MemberRole | null;
};

type OwnersAfterUndo = {
  /** Everyone who is or was an owner through the changes, also those who left since. */
  formerOwners: string[];
  /** Former owners who are still members; `before` is null for those who were no members before the changes. */
  demoted: { accountId: string; before: { role: MemberRole; branchIds: readonly string[] | null } | null }[];
  /** Owners from before the changes who lack the role. */
  restored: { accountId: string; isMember: boolean }[];
};

/**
 * Calculates who loses the role of owner, and who gets it again, when changes of owners are undone (ADR 164).
 * @param roles the members now
 * @param moves the changes, oldest first
 * @param owners the owners before the first change, without deleted accounts
 */
export function ownersAfterUndo({
  roles,
  moves,
  owners,
}: {
  roles: ReadonlyMap<string, MemberRole>;
  moves: readonly OwnerMove[];
  owners: readonly string[];
}): OwnersAfterUndo {
  const ownersNow = [...roles].flatMap(([accountId, role]) => (role === 'owner' ? [accountId] : []));
  const becameOwners = moves.flatMap(({ toRole, accountId }) =>
    toRole === 'owner' && accountId !== null ? [accountId] : [],
  );
  const formerOwners = [...new Set([...ownersNow, ...becameOwners])].filter((id) => !owners.includes(id));
  return {
    formerOwners,
    demoted: formerOwners
      .filter((accountId) => roles.has(accountId))
      .map((accountId) => {
        const became = moves.find((move) => move.accountId === accountId && move.toRole === 'owner');
        const before = became?.fromRole ? { role: became.fromRole, branchIds: became.fromBranchIds } : null;
        return { accountId, before };
      }),
    restored: owners
      .filter((accountId) => roles.get(accountId) !== 'owner')
      .map((accountId) => ({ accountId, isMember: roles.has(accountId) })),
  };
}
