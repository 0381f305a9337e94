import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import type { TeamMember } from '@nearhand/contract/people/team';
import {
  canBeLimited,
  type RoleBelowOwner,
  rolesBelowOwner,
  teamLimits,
} from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { BranchLimitField } from '../branches/branch-limit.tsx';
import { roleText } from '../businesses/role.labels.ts';
import { RoleField } from './role-field.tsx';
import { useMemberMoves } from './team.api.ts';
import { branchProblem } from './team.labels.ts';

type MemberSheetProps = { business: Business; member: TeamMember; onClose: () => void };

/** Removing a member, offering them the ownership, and leaving, each with its question. */
function useMemberActs({ business, member, onClose }: MemberSheetProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const moves = useMemberMoves();
  const action = useAction();
  const { id: businessId } = business;
  const { accountId: memberId } = member;
  const name = member.name || member.email || t`this person`;

  const remove = async () => {
    const choice = await showAlert({
      title: t`Remove ${name}?`,
      message: [
        t`They lose access to ${business.name} right away. Their jobs and conversations stay with the business.`,
        ...(member.role === 'owner'
          ? [t`As they're an owner, they can undo this for ${teamLimits.undoHours} hours.`]
          : []),
      ].join(' '),
      tone: 'ask',
      buttons: [
        { value: 'remove', label: t`Remove ${name}`, kind: 'bad' },
        { value: 'keep', label: t`Keep them` },
      ],
    });
    if (choice !== 'remove') return;
    await action.run(async () => {
      await moves.remove.mutateAsync({ businessId, memberId });
      showToast(t`${name} was removed`);
      onClose();
    });
  };
  const offer = () =>
    action.run(async () => {
      await moves.offerOwnership.mutateAsync({ businessId, memberId });
      showToast(t`We notified ${name} of your offer`);
      onClose();
    });
  const leave = async () => {
    const choice = await showAlert({
      title: t`Leave ${business.name}?`,
      message: t`You lose access right away. To come back, you need a new invitation.`,
      tone: 'ask',
      buttons: [
        { value: 'leave', label: t`Leave business`, kind: 'bad' },
        { value: 'stay', label: t`Stay` },
      ],
    });
    if (choice !== 'leave') return;
    await action.run(async () => {
      await moves.leave.mutateAsync({ businessId });
      onClose();
      showToast(t`You left ${business.name}`);
      navigate('/tabs/menu/business', replaceBack);
    });
  };
  return { name, action, remove, offer, leave };
}

export function MemberSheet(props: MemberSheetProps) {
  const { t } = useLingui();
  const { business, member, onClose } = props;
  const { actions } = member;
  const { name, action, remove, offer, leave } = useMemberActs(props);
  const [handing, setHanding] = useState(false);
  return (
    <Sheet open onClose={onClose} title={handing ? t`Hand over ${business.name}` : name}>
      {handing ? (
        <div className="col g4">
          <p>
            <Trans>
              Once {name} accepts, they own {business.name} and you become a manager. We then verify the
              business again. You can withdraw the offer until it's accepted.
            </Trans>
          </p>
          <Refused text={action.refusal} />
          <Button kind="go" full busy={action.busy} onClick={() => void offer()}>
            {t`Offer to ${name}`}
          </Button>
        </div>
      ) : (
        <div className="col g4">
          {member.isYou ? <p>{t`Your role is ${roleText(member.role)}.`}</p> : null}
          {actions.includes('change-role') ? (
            <ChangeRole businessId={business.id} member={member} onDone={onClose} />
          ) : null}
          <Refused text={action.refusal} />
          <div className="col g2">
            {actions.includes('offer-ownership') ? (
              <Button kind="out" full needsNetwork onClick={() => setHanding(true)}>
                {t`Hand over the business`}
              </Button>
            ) : null}
            {actions.includes('remove') ? (
              <Button kind="bad" full busy={action.busy} onClick={() => void remove()}>
                {t`Remove from the team`}
              </Button>
            ) : null}
            {actions.includes('leave') ? (
              <Button kind="bad" full busy={action.busy} onClick={() => void leave()}>
                {t`Leave business`}
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Sheet>
  );
}

function ChangeRole({
  businessId,
  member,
  onDone,
}: {
  businessId: string;
  member: TeamMember;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const { changeRole } = useMemberMoves();
  const action = useAction();
  const roles = rolesBelowOwner.filter((role) => role === member.role || member.roleChoices.includes(role));
  // An owner's role isn't among the choices: nothing is picked for them.
  const [role, setRole] = useState<RoleBelowOwner | null>(
    rolesBelowOwner.find((role) => role === member.role) ?? null,
  );
  const before = member.branches?.map(({ id }) => id) ?? null;
  const [branchIds, setBranchIds] = useState(before);
  const limit = role && canBeLimited(role) ? branchIds : null;
  const problem = role ? branchProblem(role, branchIds).branchIds : undefined;
  const isLimitChanged = [...(limit ?? [])].sort().join() !== [...(before ?? [])].sort().join();
  const isChanged =
    role !== null && (role !== member.role || isLimitChanged || (limit === null) !== (before === null));
  const save = () =>
    action.run(async () => {
      if (role === null) return;
      await changeRole.mutateAsync({
        businessId,
        memberId: member.accountId,
        role,
        fromRole: member.role,
        branchIds: limit,
      });
      showToast(role === member.role ? t`Branches changed` : t`Role changed to ${roleText(role)}`);
      onDone();
    });
  return (
    <>
      {member.role === 'owner' ? (
        <p>
          <Trans>
            {member.name || member.email} is an owner. With another role, they can't manage owners or close
            the business any more. They can undo this for {teamLimits.undoHours} hours.
          </Trans>
        </p>
      ) : null}
      <RoleField roles={roles} value={role} onChange={setRole} />
      {role && canBeLimited(role) ? (
        <BranchLimitField businessId={businessId} value={branchIds} error={problem} onChange={setBranchIds} />
      ) : null}
      <Refused text={action.refusal} />
      <Button
        kind={isChanged ? 'go' : 'quiet'}
        full
        busy={action.busy}
        disabled={!isChanged || problem !== undefined}
        onClick={() => void save()}
      >
        {role === member.role && isChanged ? t`Change branches` : t`Change role`}
      </Button>
    </>
  );
}
