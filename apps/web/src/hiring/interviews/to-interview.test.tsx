import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { sampleInterview } from './interviews.fixtures.ts';

const at = (day: number) => ({
  startsAt: `2026-11-${day}T09:00:00Z`,
  endsAt: `2026-11-${day}T09:30:00Z`,
});
const id = (n: number) => `01900000-0000-7000-8000-0000000000${n}`;

it("lists scheduled interviews, today's first", async () => {
  const upcoming = [
    sampleInterview({ id: id(11), ...at(21), side: 'business' }),
    sampleInterview({ id: id(12), ...at(23), side: 'business' }),
    sampleInterview({ id: id(13), ...at(24), side: 'business' }),
  ];
  renderApp('/to-interview', {
    session: 'business',
    now: '2026-11-21T08:00:00Z',
    api: {
      'interviews.mine': ({ group }) => ({ items: group === 'upcoming' ? upcoming : [], nextCursor: null }),
      'applicants.ofBusiness': { items: [], nextCursor: null },
    },
  });
  const rows = async (name: string) => {
    const head = await screen.findByRole('heading', { name });
    return within(head.closest('section') as HTMLElement).getAllByRole('article').length;
  };
  expect(await rows('Today')).toBe(1);
  expect(await rows('Upcoming')).toBe(2);
  expect(screen.queryByText('No one to interview yet')).toBeNull();
});

const applicantNamed = (name: string, change: Partial<Applicant>) => {
  const applicant = sampleApplicant(change);
  return { ...applicant, worker: { ...applicant.worker, name } };
};

it('loads every page of the people without a planned interview, also of those interviewed before', async () => {
  const pages = {
    shortlisted: [applicantNamed('Ada', { id: id(21), stage: 'shortlisted' })],
    interviewing: [applicantNamed('Bo', { id: id(22), stage: 'interviewing' })],
  };
  renderApp('/to-interview', {
    session: 'business',
    api: {
      'interviews.mine': { items: [], nextCursor: null },
      'applicants.ofBusiness': ({ stage, cursor }) =>
        cursor === undefined
          ? { items: [], nextCursor: 'second' }
          : { items: pages[stage as keyof typeof pages], nextCursor: null },
    },
  });
  for (const name of ['Ada', 'Bo']) {
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByText(name);
  }
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});
