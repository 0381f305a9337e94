import type { Job } from '@nearhand/contract/hiring/jobs';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { leila, sampleAccount, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { JobDates } from './job-dates.tsx';
import { JobEngagement, JobNeeds } from './job-desc.screen.tsx';
import { ApplyShortcut, JobDock } from './job-dock.tsx';
import { breakfast, sampleDate, sampleJob } from './jobs.fixtures.ts';

afterEach(cleanup);

const conflict = {
  ...breakfast,
  kind: 'engagement' as const,
  id: '0193aaaa-0000-7000-8000-0000000000e1',
};
const show = (change: Partial<Job>) => renderPart(<JobDock job={sampleJob(change)} />);
const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('actions for a job', () => {
  it('link an applicant to the application and the chat', () => {
    const id = '0193aaaa-0000-7000-8000-0000000000c1';
    show({ actions: [], myApplication: { id, status: 'viewed', workEnding: null } });
    expect(leadsTo('See your application')).toBe(`/tabs/menu/my-work/${id}`);
    expect(leadsTo('Message')).toBe(`/chat?job=${sampleJob().id}`);
    expect(screen.queryByRole('link', { name: 'Apply for this job' })).toBeNull();
  });

  it('show a suspended worker until when, and why', async () => {
    const sanctionId = '0193aaaa-0000-7000-8000-0000000000f1';
    const restriction = {
      sanctionId,
      business: null,
      scope: 'applying',
      rule: 'respect',
      endsAt: null,
    } as const;
    renderPart(<JobDock job={sampleJob({ actions: ['apply'] })} />, {
      session: 'worker',
      api: {
        'accounts.me': { ...sampleAccount(leila), restrictions: [restriction] },
        'profiles.mine': sampleProfile(),
        'calendar.conflicts': [],
      },
    });
    expect(await screen.findByText("You can't apply for jobs until we lift the suspension.")).toBeTruthy();
    expect(leadsTo('Read the reasons')).toBe(`/tabs/menu/decisions/${sanctionId}`);
    expect(screen.queryByRole('link', { name: 'Apply for this job' })).toBeNull();
  });

  it.each([
    ['submitted', null, /^You've applied.*We'll let you know when they reply/],
    ['offered', null, /^You have an offer/],
    ['hired', null, /^You're hired/],
    ['hired', 'cancelled', /^This booking was cancelled/],
    ['hired', 'done', /^You've done this job/],
    ['rejected', null, /^They decided not to move forward/],
  ] as const)('show the outcome of an application: %s, %s', (status, workEnding, words) => {
    const id = '0193aaaa-0000-7000-8000-0000000000c1';
    show({ actions: [], myApplication: { id, status, workEnding } });
    const said = document.querySelector('.dock-line')?.textContent ?? '';
    expect(said).toMatch(words);
    expect(said.includes("We'll let you know")).toBe(status === 'submitted');
  });

  it('book when the job would hire the viewer at once', async () => {
    const instant = {
      actions: ['apply' as const],
      instantHire: true,
      funded: true,
      skills: ['waiter' as const],
    };
    const api = {
      'profiles.mine': sampleProfile({ skills: [{ skill: 'waiter', level: 'expert', years: 2 }] }),
    };
    renderPart(<JobDock job={sampleJob(instant)} />, {
      session: 'worker',
      api: { ...api, 'calendar.conflicts': [] },
    });
    expect(await screen.findByRole('link', { name: 'Book this shift' })).toBeTruthy();
    cleanup();
    const both = sampleJob({ ...instant, skills: ['waiter', 'barista'] });
    renderPart(<JobDock job={both} />, { session: 'worker', api: { ...api, 'calendar.conflicts': [] } });
    expect(await screen.findByRole('link', { name: 'Apply for this job' })).toBeTruthy();
    cleanup();
    renderPart(<JobNeeds job={both} />, { session: 'worker', api });
    const lacked = await screen.findByText('Not in your profile');
    expect(lacked.closest('li')?.textContent).toContain('Barista');
    expect(screen.getAllByText('You have this')).toHaveLength(1);
  });

  it('show how the worker would be engaged, if the business has stated it', async () => {
    const { container } = renderPart(<JobEngagement relation={null} />);
    expect(container.textContent).toBe('');
    renderPart(<JobEngagement relation="self_employed" />);
    expect(screen.getByText('Self-employed')).toBeTruthy();
    expect(screen.getByText(/you invoice the business/)).toBeTruthy();
  });

  it('hide applying for a worker booked at that time, with the reason', async () => {
    renderPart(<JobDock job={sampleJob({ actions: ['apply'] })} />, {
      session: 'worker',
      api: { 'profiles.mine': sampleProfile(), 'calendar.conflicts': [conflict] },
    });
    expect(await screen.findByText('Cancel Breakfast service before you apply.')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Apply for this job' })).toBeNull();
  });

  it('put applying before similar jobs only when it is allowed', async () => {
    const shortcut = (change: Partial<Job>) => {
      cleanup();
      renderPart(<ApplyShortcut job={sampleJob(change)} />);
      return screen.queryByRole('link', { name: 'Apply' })?.getAttribute('href') ?? null;
    };
    expect(shortcut({ actions: ['apply'] })).toBe(`/job-apply-form/${sampleJob().id}`);
    expect(shortcut({ actions: [] })).toBeNull();
  });

  it('include applying while the server allows it', () => {
    show({ actions: ['apply'] });
    expect(leadsTo('Apply for this job')).toBe(`/job-apply-form/${sampleJob().id}`);
    cleanup();
    show({ actions: [], status: 'paused' });
    expect(leadsTo('Find another job')).toBe('/tabs/menu/explore');
  });
});

describe('the shifts of a series', () => {
  it('stay available to someone who works at the time of one', async () => {
    const dates = [sampleDate(28, { booked: breakfast }), sampleDate(29)];
    renderPart(<JobDock job={sampleJob({ dates })} />, {
      session: 'worker',
      api: { 'profiles.mine': sampleProfile(), 'calendar.conflicts': [conflict] },
    });
    expect(await screen.findByText('You can apply for the other shifts.')).toBeTruthy();
    expect(leadsTo('Apply for this job')).toBe(`/job-apply-form/${dates[1]?.jobId}`);
  });

  it("each link to their page, and show why the viewer can't apply", () => {
    const { id } = sampleJob();
    const dates = [
      sampleDate(28, { myApplication: { id, status: 'viewed', workEnding: null } }),
      sampleDate(29, { booked: breakfast }),
      sampleDate(30),
      sampleDate(31, { myApplication: { id, status: 'hired', workEnding: 'cancelled' } }),
      sampleDate(27, { myApplication: { id, status: 'offered', workEnding: null } }),
    ];
    renderPart(<JobDates job={sampleJob({ dates })} />);
    expect(screen.getByRole('heading', { name: '5 shifts (Amsterdam time)' })).toBeTruthy();
    expect(screen.getByText('Booking cancelled')).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('aria-current'))).toEqual([
      'page',
      null,
      null,
      null,
      null,
    ]);
    expect(screen.getByText('You have an offer')).toBeTruthy();
    expect(screen.getByText("You've applied")).toBeTruthy();
    expect(screen.getByText(/^You work then: Breakfast service/)).toBeTruthy();
    expect(screen.getByText('2 spots left')).toBeTruthy();
  });
});
