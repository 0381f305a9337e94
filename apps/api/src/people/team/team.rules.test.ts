import type { MemberRole } from '@nearhand/contract/member-roles';
import { expect, it } from 'vitest';
import { ownersAfterUndo } from './team.rules.ts';

type Case = Parameters<typeof ownersAfterUndo>[0];
const members = (roles: Record<string, MemberRole>) => new Map(Object.entries(roles));
const move = (
  accountId: string,
  fromRole: MemberRole | null,
  toRole: MemberRole | null,
  fromBranchIds: string[] | null = null,
) => ({ accountId, fromRole, toRole, fromBranchIds });

it.each<[string, Case, ReturnType<typeof ownersAfterUndo>]>([
  [
    'a new owner who was a manager is one again',
    {
      roles: members({ ann: 'owner', bob: 'owner' }),
      moves: [move('bob', 'manager', 'owner')],
      owners: ['ann'],
    },
    {
      formerOwners: ['bob'],
      demoted: [{ accountId: 'bob', before: { role: 'manager', branchIds: null } }],
      restored: [],
    },
  ],
  [
    'a recruiter gets the branches from before the first of two promotions',
    {
      roles: members({ ann: 'owner', bob: 'owner' }),
      moves: [move('bob', 'recruiter', 'owner', ['north']), move('bob', 'manager', 'owner')],
      owners: ['ann'],
    },
    {
      formerOwners: ['bob'],
      demoted: [{ accountId: 'bob', before: { role: 'recruiter', branchIds: ['north'] } }],
      restored: [],
    },
  ],
  [
    'a stranger who became owner and removed the owner goes, and the owner returns',
    {
      roles: members({ eve: 'owner' }),
      moves: [move('eve', null, 'owner'), move('ann', 'owner', null)],
      owners: ['ann'],
    },
    {
      formerOwners: ['eve'],
      demoted: [{ accountId: 'eve', before: null }],
      restored: [{ accountId: 'ann', isMember: false }],
    },
  ],
  [
    'an owner who was made a manager is an owner again',
    {
      roles: members({ ann: 'manager', cas: 'owner' }),
      moves: [move('ann', 'owner', 'manager')],
      owners: ['ann', 'cas'],
    },
    { formerOwners: [], demoted: [], restored: [{ accountId: 'ann', isMember: true }] },
  ],
  [
    'someone who became owner and left since is only told',
    {
      roles: members({ ann: 'owner' }),
      moves: [move('eve', 'manager', 'owner'), move('eve', 'owner', null)],
      owners: ['ann'],
    },
    { formerOwners: ['eve'], demoted: [], restored: [] },
  ],
])('%s', (_name, changes, expected) => {
  expect(ownersAfterUndo(changes)).toEqual(expected);
});
