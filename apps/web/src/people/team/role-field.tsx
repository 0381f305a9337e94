import { useLingui } from '@lingui/react/macro';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { roleText } from '../businesses/role.labels.ts';
import { roleMeaning } from './team.labels.ts';

export function RoleField<Role extends MemberRole>({
  roles,
  value,
  onChange,
}: {
  roles: readonly Role[];
  value: Role | null;
  onChange: (role: Role) => void;
}) {
  const { t } = useLingui();
  return (
    <RadioGroup<Role>
      legend={t`Role`}
      value={value}
      options={roles.map((role) => ({ value: role, label: roleText(role), help: roleMeaning(role) }))}
      onChange={onChange}
    />
  );
}
