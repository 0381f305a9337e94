import { saveJobPath } from '@nearhand/contract/app-paths';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleCard, sampleJob, sampleNearbyCard, sampleNearbyPage } from '../jobs/jobs.fixtures.ts';

const ids = ['0193aaaa-0000-7000-8000-000000000001', '0193aaaa-0000-7000-8000-000000000002'] as const;
const jobs = [sampleCard({ id: ids[0], title: 'Barista' }), sampleCard({ id: ids[1], title: 'Porter' })];
const savedAt = '2026-11-21T09:00:00.000Z';

function server(...first: string[]) {
  let saved = [...first];
  const answers: Handlers = {
    'savedJobs.ids': () => saved,
    'savedJobs.list': () => ({
      items: jobs
        .filter(({ id }) => saved.includes(id))
        .map((job) => ({
          job,
          status: job.id === ids[1] ? ('filled' as const) : ('open' as const),
          savedAt,
        })),
      nextCursor: null,
    }),
    'savedJobs.save': ({ jobId }) => {
      saved = [...saved, jobId];
      return { jobId, saved: true };
    },
    'savedJobs.remove': ({ jobId }) => {
      saved = saved.filter((id) => id !== jobId);
      return { jobId, saved: false };
    },
  };
  return answers;
}
const missing = () => {
  throw refuse('business/not-found');
};
const heart = (title: string) => screen.findByRole('button', { name: `Save ${title}` });
const litHeart = (title: string) => screen.findByRole('button', { name: `Save ${title}`, pressed: true });
const isOn = (button: HTMLElement) => button.getAttribute('aria-pressed') === 'true';

describe('the saved jobs', () => {
  it('show their current state, and a removed one keeps its place and the focus', async () => {
    const { api } = renderApp('/favorite', { session: 'worker', api: server(...ids) });
    const porter = (await screen.findByText('Porter')).closest('article') as HTMLElement;
    expect(within(porter).getByText('Filled')).toBeTruthy();
    const lit = await litHeart('Porter');
    lit.focus();
    fireEvent.click(lit);
    await waitFor(() => expect(api.calls('savedJobs.list')).toHaveLength(2));
    await waitFor(() => expect(isOn(lit)).toBe(false));
    expect(document.activeElement).toBe(lit);
    expect(api.inputs('savedJobs.remove')).toEqual([{ jobId: ids[1] }]);
    fireEvent.click(lit);
    await waitFor(() => expect(api.inputs('savedJobs.save')).toEqual([{ jobId: ids[1] }]));
  });

  it('explain how to start when empty', async () => {
    renderApp('/favorite', { session: 'worker', api: server() });
    expect(await screen.findByRole('heading', { name: 'No saved jobs yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find work nearby' })).toBeTruthy();
  });

  it('ask a guest to sign in, and return', async () => {
    renderApp('/favorite');
    const login = await screen.findByRole('link', { name: 'Log in' });
    expect(login.getAttribute('href')).toBe('/login?next=%2Ffavorite');
  });
});

describe('the heart', () => {
  it('turns on at once, before the server responds, and off again on rejection', async () => {
    let fail = (_done: Error) => {};
    const refusal = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const { api } = renderApp('/favorite', {
      session: 'worker',
      api: { ...server(ids[0]), 'savedJobs.remove': () => refusal },
    });
    fireEvent.click(await litHeart('Barista'));
    await waitFor(async () => expect(isOn(await heart('Barista'))).toBe(false));
    expect(api.calls('savedJobs.remove')).toHaveLength(1);
    await act(async () => fail(refuse('request/invalid', { issues: [] })));
    await waitFor(async () => expect(isOn(await heart('Barista'))).toBe(true));
  });

  it('queues a press without a connection, and sends the last one once it returns', async () => {
    const { api } = renderApp('/favorite', { session: 'worker', api: server(ids[0]) });
    const button = await heart('Barista');
    await waitFor(() => expect(isOn(button)).toBe(true));
    setOnline(api, false);
    for (let press = 0; press < 3; press += 1) fireEvent.click(button);
    await waitFor(() => expect(isOn(button)).toBe(false));
    expect(api.calls('savedJobs.remove')).toHaveLength(0);
    setOnline(api, true);
    await waitFor(() => expect(api.calls('savedJobs.list')).toHaveLength(2));
    expect(isOn(button)).toBe(false);
    expect(api.calls('savedJobs.remove')).toHaveLength(1);
    expect(api.calls('savedJobs.save')).toHaveLength(0);
  });

  it('shows what was rejected after it was pressed without a connection', async () => {
    const { api } = renderApp('/favorite', { session: 'worker', api: server(ids[0]) });
    const button = await litHeart('Barista');
    setOnline(api, false);
    fireEvent.click(button);
    await waitFor(() => expect(isOn(button)).toBe(false));
    api.on({
      'savedJobs.remove': () => {
        throw refuse('job/not-found');
      },
    });
    setOnline(api, true);
    expect(await screen.findByText('This job is no longer available.')).toBeTruthy();
    expect(isOn(button)).toBe(true);
  });

  it('sends a guest to sign in, then saves the job', async () => {
    renderApp(`/tabs/menu/explore`, {
      api: {
        'nearby.search': sampleNearbyPage({ items: [sampleNearbyCard({ title: 'Barista' })] }),
        'jobs.get': sampleJob(),
      },
    });
    fireEvent.click(await heart('Barista'));
    const next = saveJobPath(sampleNearbyCard().id);
    await waitFor(() => expect(address()).toBe(`/getting-started?next=${encodeURIComponent(next)}`));
    expect(await screen.findByText('Log in or create an account to save this job.')).toBeTruthy();
    cleanup();
    const { api } = renderApp(next, {
      session: 'worker',
      api: {
        ...server(),
        'jobs.get': sampleJob(),
        'jobs.similar': [],
        'profiles.mine': missing,
        'calendar.conflicts': [],
        'businesses.profile': missing,
        'reliability.ofBusiness': missing,
        'notifications.list': { items: [], unread: 0, nextCursor: null },
      },
    });
    expect(await screen.findByText('Job saved')).toBeTruthy();
    expect(api.inputs('savedJobs.save')).toEqual([{ jobId: sampleJob().id }]);
    expect(address()).toBe(`/job-desc/${sampleJob().id}`);
  });
});
