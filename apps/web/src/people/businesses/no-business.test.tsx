import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { never } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const removal = { businessId: '0193aaaa-0000-7000-8000-0000000000b1', businessName: 'Café Solheim' };

it.each(['/tabs/menu/business', '/all-job-applicants', '/to-interview', '/merchant-ongoing-jobs'])(
  'shows a removed team member the removal on %s',
  async (path) => {
    renderApp(path, {
      session: 'business',
      api: {
        'businesses.mine': [],
        'notifications.list': never,
        'applications.mine': never,
        'team.removals': [{ ...removal, at: '2026-11-20T09:00:00Z' }],
      },
    });
    expect(await screen.findByText("You're no longer on the team of Café Solheim")).toBeTruthy();
    expect(screen.getByText(/removed you on Fri 20 Nov.*ask someone at Café Solheim/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find work' })).toBeTruthy();
  },
);
