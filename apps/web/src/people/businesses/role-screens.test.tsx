import { memberRoles } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { seededSample } from '../../../../../scripts/seeded-sample.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { mayOpen, type RoleScreen, screenNeeds } from './role-screens.ts';

/**
 * Empty responses for every call that a member of any role may make; the fake server refuses the rest
 * (`FakeApi`).
 */
const answers: Handlers = {
  'notifications.list': { items: [], nextCursor: null, unread: 0 },
  'conversations.list': { items: [], nextCursor: null, found: [], unread: 0 },
  'profiles.mine': () => {
    throw refuse('profile/not-found');
  },
  'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
  'budgets.mine': { currency: 'EUR', budgets: [] },
  'applicants.ofBusiness': { items: [], nextCursor: null },
  'engagements.forBusiness': {
    items: [],
    nextCursor: null,
    counts: { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 },
  },
  'interviews.mine': { items: [], nextCursor: null },
  'dashboard.figures': {
    currency: 'EUR',
    currencies: ['EUR'],
    timeZone: 'Europe/Amsterdam',
    months: [],
    filled: [],
    medianHours: null,
    medianHoursBefore: null,
  },
  'team.members': {
    members: [],
    invitableRoles: [],
    seesLog: false,
    ownershipOffer: null,
    ownersFrozen: false,
  },
};

const paths = Object.keys(screenNeeds) as RoleScreen[];
const refused = paths.flatMap((path) =>
  memberRoles.filter((role) => !roleMay(role, screenNeeds[path])).map((role) => ({ path, role })),
);

describe('a hiring screen', () => {
  it('rejects only coordinators, finance and recruiters', () => {
    expect([...new Set(refused.map(({ role }) => role))].sort()).toEqual([
      'coordinator',
      'finance',
      'recruiter',
    ]);
  });

  it.each(refused)('$path tells $role whose it is, without a rejected request', async ({ path, role }) => {
    const { api } = renderApp(path, {
      session: 'business',
      api: { 'businesses.mine': [sampleBusiness({ role, actions: [] })] },
    });
    expect(await screen.findByText("Your role doesn't include this")).toBeTruthy();
    expect(
      screen.getByText(/^Your role at Kopi & Crumb is (Coordinator|Finance|Recruiter)\. To see this page/),
    ).toBeTruthy();
    for (const name of [
      'jobs.listed',
      'engagements.forBusiness',
      'interviews.mine',
      'jobs.get',
      'statements.forBusiness',
    ] as const)
      expect(api.inputs(name)).toEqual([]);
  });

  it('of saved workers is closed to recruiters limited to branches', async () => {
    renderApp('/saved-workers', {
      session: 'business',
      api: { 'businesses.mine': [sampleBusiness({ role: 'recruiter', branchIds: [sampleBusiness().id] })] },
    });
    expect(await screen.findByText(/limited to some branches/)).toBeTruthy();
  });

  const members = [
    { role: 'finance' as const, branchIds: null },
    { role: 'recruiter' as const, branchIds: null },
    { role: 'coordinator' as const, branchIds: null },
    { role: 'recruiter' as const, branchIds: [sampleBusiness().id] },
  ];
  const reached = [
    '/tabs/menu/business',
    '/tabs/menu/account',
    '/tabs/menu/messages',
    `/verify?business=${sampleBusiness().id}`,
    '/edit-business',
    '/edit-business?part=team',
    '/notifications',
  ];
  const visits = members.flatMap((member) => reached.map((path) => ({ ...member, path })));
  it.each(seededSample(visits, 7, ({ role, branchIds, path }) => `${role} ${branchIds} ${path}`))(
    '$path offers a $role (branches: $branchIds) nothing that is refused to them',
    async ({ path, ...member }) => {
      const business = sampleBusiness({ ...member, status: 'draft', actions: [] });
      const { container } = renderApp(path, {
        session: 'business',
        width: 1280,
        api: {
          ...answers,
          'businesses.mine': [business],
          'wallet.get': roleMay(member.role, 'view-money')
            ? sampleWallet({ canManage: roleMay(member.role, 'money') })
            : undefined,
        },
      });
      await waitFor(() => expect(container.querySelectorAll('main h1, main h2').length).toBeGreaterThan(0));
      await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
      if (path === '/tabs/menu/messages') await screen.findByText(/^No conversations/);
      const closed = [...container.querySelectorAll<HTMLAnchorElement>('a[href]')]
        .map(({ href }) => new URL(href).pathname)
        .filter((to) => !mayOpen(business, to));
      expect(closed).toEqual([]);
      expect(screen.queryByRole('link', { name: 'Documents and website' })).toBeNull();
      expect(screen.queryByText(/Request verification/)).toBeNull();
      for (const button of screen.queryAllByRole<HTMLButtonElement>('button', { name: /logo|photo/ }))
        expect(button.closest('fieldset')?.disabled).toBe(true);
    },
  );

  it('opens for owners, and while the business is unknown', () => {
    for (const path of paths) {
      expect(mayOpen({ role: 'owner', branchIds: null }, path)).toBe(true);
      expect(mayOpen(undefined, path)).toBe(true);
    }
  });
});
