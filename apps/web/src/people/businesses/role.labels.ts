import { t } from '@lingui/core/macro';
import type { MemberRole } from '@nearhand/contract/member-roles';

export function roleText(role: MemberRole): string {
  switch (role) {
    case 'owner':
      return t`Owner`;
    case 'manager':
      return t`Manager`;
    case 'recruiter':
      return t`Recruiter`;
    case 'coordinator':
      return t`Coordinator`;
    case 'finance':
      return t`Finance`;
  }
}
