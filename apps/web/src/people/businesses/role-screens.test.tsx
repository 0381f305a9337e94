import { memberRoles } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { mayOpen, type RoleScreen, screenNeeds } from './role-screens.ts';

const paths = Object.keys(screenNeeds) as RoleScreen[];
const refused = paths.flatMap((path) =>
  memberRoles.filter((role) => !roleMay(role, screenNeeds[path])).map((role) => ({ path, role })),
);

describe('a hiring screen', () => {
  it('is refused to finance and recruiters only', () => {
    expect([...new Set(refused.map(({ role }) => role))].sort()).toEqual(['finance', 'recruiter']);
  });

  it.each(refused)('$path tells $role whose it is, without a refused request', async ({ path, role }) => {
    const { api } = renderApp(path, {
      session: 'merchant',
      api: { 'businesses.mine': [sampleBusiness({ role, actions: [] })] },
    });
    expect(await screen.findByText("Your role doesn't include this")).toBeTruthy();
    expect(
      screen.getByText(/^Your role at Kopi & Crumb is (Finance|Recruiter)\. To see this page/),
    ).toBeTruthy();
    for (const name of [
      'jobs.listed',
      'engagements.forBusiness',
      'interviews.mine',
      'statements.forBusiness',
    ] as const)
      expect(api.inputs(name)).toEqual([]);
  });

  it('of saved workers is closed to recruiters limited to branches', async () => {
    renderApp('/saved-workers', {
      session: 'merchant',
      api: { 'businesses.mine': [sampleBusiness({ role: 'recruiter', branchIds: [sampleBusiness().id] })] },
    });
    expect(await screen.findByText(/limited to some branches/)).toBeTruthy();
  });

  it('opens to owners, and while the business is unknown', () => {
    for (const path of paths) {
      expect(mayOpen({ role: 'owner', branchIds: null }, path)).toBe(true);
      expect(mayOpen(undefined, path)).toBe(true);
    }
  });
});
