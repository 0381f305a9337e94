import { useLingui } from '@lingui/react/macro';
import { memberRoles } from '@nearhand/contract/member-roles';
import { capabilities, roleMay } from '@nearhand/contract/people/team.rules';
import { Icon } from '../../ui/art/icon.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { roleText } from '../businesses/role.labels.ts';
import { capabilityText } from './team.labels.ts';
import './team.css';

export function RoleTable() {
  const { t } = useLingui();
  return (
    <section className="role-table">
      <p className="lead">{t`Everyone on the team has one role. It's the same in every part of Nearhand.`}</p>
      <p className="mt2">{t`A recruiter or coordinator can be limited to some branches, once there are any. They then see only the jobs of these branches, and what belongs to those jobs.`}</p>
      <div className="mt4">
        <Table
          caption={t`What each role can do`}
          rows={capabilities}
          rowKey={(capability) => capability}
          columns={[
            { key: 'what', head: t`Can do`, cell: capabilityText },
            ...memberRoles.map((role) => ({
              key: role,
              head: roleText(role),
              cell: (capability: (typeof capabilities)[number]) =>
                roleMay(role, capability) ? (
                  <Icon name="check" label={t`Yes`} />
                ) : (
                  <span className="mute">
                    <span aria-hidden="true">–</span>
                    <span className="vh">{t`No`}</span>
                  </span>
                ),
            })),
          ]}
        />
      </div>
    </section>
  );
}
