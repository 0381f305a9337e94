import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { invite } from './team-invitations.ts';

export const makeTeamInvitation = (
  db: Db,
  scope: Scope,
  businessId: string,
  options: { email: string; role?: MemberRole; branchIds?: string[] | null },
) =>
  db
    .transaction()
    .execute((tx) => invite(tx, scope, { role: 'recruiter', branchIds: null, businessId, ...options }));
