import type { Job } from '@nearhand/contract/hiring/jobs';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { JobDock } from './job-dock.tsx';
import { sampleJob } from './jobs.samples.ts';

afterEach(cleanup);

const show = (change: Partial<Job>) => renderPart(<JobDock job={sampleJob(change)} />);
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
