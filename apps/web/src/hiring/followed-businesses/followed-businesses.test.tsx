import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = '0193aaaa-0000-7000-8000-000000000021';
const job = { id: '0193aaaa-0000-7000-8000-000000000022', title: 'Evening barista' };
const followed = {
  business: {
    id,
    name: 'Kopi and Crumb',
    category: 'hospitality' as const,
    area: 'Jordaan',
    verified: true,
    logoPath: null,
  },
  newest: job,
  openJobs: 2,
  followedAt: '2026-11-21T09:00:00.000Z',
};

function server(): Handlers {
  let following = true;
  return {
    'followedBusinesses.list': () => ({ items: following ? [followed] : [], nextCursor: null }),
    'followedBusinesses.ids': () => (following ? [id] : []),
    'followedBusinesses.unfollow': ({ businessId }) => {
      following = false;
      return { businessId, following: false };
    },
  };
}
const button = (pressed: boolean) => screen.findByRole('button', { name: 'Follow Kopi and Crumb', pressed });

describe('the followed businesses', () => {
  it('show their open jobs, and can be unfollowed', async () => {
    const { api } = renderApp('/favorite?part=businesses', { session: 'worker', api: server() });
    expect((await screen.findByRole('link', { name: job.title })).getAttribute('href')).toBe(
      `/job-desc/${job.id}`,
    );
    expect(screen.getByText('Jordaan · 2 open jobs')).toBeTruthy();
    fireEvent.click(await button(true));
    expect(await screen.findByRole('heading', { name: "You don't follow any businesses yet" })).toBeTruthy();
    expect(api.inputs('followedBusinesses.unfollow')).toEqual([{ businessId: id }]);
  });

  it('stay followed when the server rejects, and show why', async () => {
    const { api } = renderApp('/favorite?part=businesses', { session: 'worker', api: server() });
    api.on({
      'followedBusinesses.unfollow': () => {
        throw refuse('request/unavailable');
      },
    });
    fireEvent.click(await button(true));
    await waitFor(() => expect(api.calls('followedBusinesses.unfollow').length).toBeGreaterThan(0));
    expect(await button(true)).toBeTruthy();
    expect(screen.getByRole('link', { name: job.title })).toBeTruthy();
  });
});
