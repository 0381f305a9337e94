import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { type Handlers, never } from '../../../test/fake-api.ts';
import { sampleProfile } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { JobDock } from './job-dock.tsx';
import { sampleJob } from './jobs.fixtures.ts';

let arrive: () => void = () => {};
vi.mock('../applications/job-apply-form.screen.tsx', async () => {
  await new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { default: () => null };
});
afterEach(cleanup);

const job = sampleJob({ actions: ['apply'] });
const answers: Handlers = {
  'jobs.get': job,
  'jobs.similar': [],
  'profiles.mine': sampleProfile(),
  'calendar.conflicts': [],
  'businesses.profile': never,
  'reliability.ofBusiness': never,
};
const link = () => screen.findByRole('link', { name: 'Apply for this job' });
const isMarked = async () => (await link()).getAttribute('aria-disabled') === 'true';

describe('a job read without a network', () => {
  it('shows that an application is sent later only when the form is on the device', async () => {
    const { api } = renderApp(`/job-desc/${job.id}`, { session: 'worker', api: answers });
    await link();
    setOnline(api, false);
    expect(await screen.findByText(/You can apply when you're back online\./)).toBeTruthy();
    expect(await isMarked()).toBe(true);
    arrive();
    expect(
      await screen.findByText(/You can apply now\. We'll send it when you're back online\./),
    ).toBeTruthy();
    expect(await isMarked()).toBe(false);
  });

  it('asks a guest to sign in first', async () => {
    const { api } = renderPart(<JobDock job={job} />, { api: answers });
    expect(await isMarked()).toBe(false);
    setOnline(api, false);
    expect(await isMarked()).toBe(true);
  });

  it('omits applying when nobody can apply', async () => {
    const closed = { ...answers, 'jobs.get': sampleJob({ actions: [] }) };
    const { api } = renderApp(`/job-desc/${job.id}`, { session: 'worker', api: closed });
    await screen.findByText("This job isn't accepting applications");
    setOnline(api, false);
    expect(await screen.findByText(/Last updated/)).toBeTruthy();
    expect(screen.queryByText(/when you're back online/)).toBeNull();
  });
});
