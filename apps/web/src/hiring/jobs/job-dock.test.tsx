import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobDock } from './job-dock.tsx';
import { sampleJob } from './jobs.samples.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

const show = (change: Partial<Job>) =>
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <JobDock job={sampleJob(change)} />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('actions for a job', () => {
  it('link an applicant to their application, and to the chat', () => {
    const id = '0193aaaa-0000-7000-8000-0000000000c1';
    show({ actions: [], myApplication: { id, status: 'viewed' } });
    expect(leadsTo('See your application')).toBe(`/tabs/menu/my-work/${id}`);
    expect(leadsTo('Message')).toBe(`/chat?job=${sampleJob().id}`);
    expect(screen.queryByRole('link', { name: 'Apply for this job' })).toBeNull();
  });

  it('include applying while the server allows it', () => {
    show({ actions: ['apply'] });
    expect(leadsTo('Apply for this job')).toBe(`/job-apply-form/${sampleJob().id}`);
    cleanup();
    show({ actions: [], status: 'paused' });
    expect(leadsTo('Find another job')).toBe('/tabs/menu/explore');
  });
});
