import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import {
  canBeLimited,
  type RoleBelowOwner,
  rolesBelowOwner,
  teamLimits,
} from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { countOf, countProblem } from '../../lib/forms/typed-count.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Stepper } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { BranchLimitField } from '../branches/branch-limit.tsx';
import { confirmedEmail } from '../sign-in/email-typo.ts';
import { NewLink } from './new-link.tsx';
import { RoleField } from './role-field.tsx';
import { useInviting } from './team.api.ts';
import { branchProblem } from './team.labels.ts';

type Way = 'email' | 'link';
type Limited = { branchIds: string[] | null };
type InviteProps = { businessId: string; roles: readonly MemberRole[]; onClose: () => void };

export function InviteMemberSheet(props: InviteProps) {
  const { t } = useLingui();
  const [way, setWay] = useState<Way>('email');
  const [url, setUrl] = useState<string | null>(null);
  return (
    <Sheet open onClose={props.onClose} title={url === null ? t`Invite someone` : t`Your link is ready`}>
      {url === null ? (
        <div className="col g4">
          <Segmented
            label={t`How to invite`}
            value={way}
            options={[
              { value: 'email', label: t`By email` },
              { value: 'link', label: t`By link` },
            ]}
            onChange={setWay}
          />
          {way === 'email' ? <ByEmail {...props} /> : <ByLink {...props} onMade={setUrl} />}
        </div>
      ) : (
        <NewLink url={url} />
      )}
    </Sheet>
  );
}

function ByEmail({ businessId, roles, onClose }: InviteProps) {
  const { t } = useLingui();
  const { invite } = useInviting();
  const [role, setRole] = useState<MemberRole>('recruiter');
  const form = useFormModel({
    focusProblems: true,
    start: (): { email: string } & Limited => ({ email: '', branchIds: null }),
    check: ({ email, branchIds }): { email?: string; branchIds?: string } => ({
      email: isEmail(email) ? undefined : t`Enter an address such as name@example.com.`,
      ...branchProblem(role, branchIds),
    }),
  });
  const send = async ({ email: typed, branchIds }: { email: string } & Limited) => {
    const email = await confirmedEmail(typed.trim());
    if (email === null) return;
    form.change({ email });
    try {
      const invitation = await invite.mutateAsync({
        businessId,
        email,
        role,
        branchIds: canBeLimited(role) ? branchIds : null,
      });
      showToast(t`Invitation sent to ${invitation.email ?? email}`);
      onClose();
    } catch (failure) {
      const atField = isApiError(failure, 'team/already-member', 'team/already-invited', 'request/invalid');
      form.refuse(atField ? { fields: { email: errorText(failure) } } : { text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <TextInput
        {...form.textField('email')}
        label={t`Email`}
        help={t`They join with an account that has this address.`}
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="off"
        maxLength={limits.emailMax}
      />
      <RoleField roles={roles} value={role} onChange={setRole} />
      {role === 'owner' ? (
        <Banner icon="info">
          {t`Owners can remove you too. When they join, we verify the business again, and you can undo it for ${teamLimits.undoHours} hours.`}
        </Banner>
      ) : null}
      <HelpLink article="team-roles">{t`What each role may do`}</HelpLink>
      {canBeLimited(role) ? (
        <BranchLimitField
          businessId={businessId}
          value={form.values.branchIds}
          error={form.problems.branchIds}
          onChange={(branchIds) => form.change({ branchIds })}
        />
      ) : null}
      <Refused text={form.refusal} />
      <div className="sheet-act">
        <Button kind="go" full type="submit" busy={invite.isPending}>
          {t`Send invitation`}
        </Button>
      </div>
    </Form>
  );
}

const uses = { min: 1, max: teamLimits.linkUses };

function ByLink({ businessId, roles, onMade }: InviteProps & { onMade: (url: string) => void }) {
  const { t } = useLingui();
  const { createLink } = useInviting();
  const offered = rolesBelowOwner.filter((role) => roles.includes(role));
  const form = useFormModel({
    start: (): { role: RoleBelowOwner; maxUses: string } & Limited => ({
      role: 'recruiter',
      maxUses: '1',
      branchIds: null,
    }),
    check: (values): { branchIds?: string; maxUses?: string } => {
      const maxUses = countProblem(values.maxUses, uses);
      return { ...branchProblem(values.role, values.branchIds), maxUses };
    },
  });
  const { role, maxUses, branchIds } = form.values;
  const create = async () => {
    try {
      const { url } = await createLink.mutateAsync({
        businessId,
        role,
        maxUses: countOf(maxUses, uses) ?? 1,
        branchIds: canBeLimited(role) ? branchIds : null,
      });
      onMade(url);
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(create)}>
      <Stepper
        label={t`How many people can use it`}
        help={t`It works for ${teamLimits.invitationDays} days. Anyone who has it can join.`}
        id={form.idOf('maxUses')}
        value={maxUses}
        {...uses}
        error={form.problems.maxUses}
        onChange={(value) => form.change({ maxUses: value })}
      />
      <RoleField roles={offered} value={role} onChange={(value) => form.change({ role: value })} />
      {canBeLimited(role) ? (
        <BranchLimitField
          businessId={businessId}
          value={branchIds}
          error={form.problems.branchIds}
          onChange={(limit) => form.change({ branchIds: limit })}
        />
      ) : null}
      <Refused text={form.refusal} />
      <div className="sheet-act">
        <Button kind="go" full type="submit" busy={createLink.isPending}>
          {t`Create link`}
        </Button>
      </div>
    </Form>
  );
}
