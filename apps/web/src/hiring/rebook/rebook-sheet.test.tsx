import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { type } from '../../../test/typing.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleWork } from '../../work/engagements/engagements.fixtures.ts';
import { sampleCard, sampleJob } from '../jobs/jobs.fixtures.ts';
import { CrewSheet } from './crew-sheet.tsx';
import { RebookSheet } from './rebook-sheet.tsx';

const { worker, terms, jobId } = sampleWork();
const other = sampleCard({ id: '0193aaaa-0000-7000-8000-000000000002', title: 'Night baker' });
const listed = (jobs: readonly ReturnType<typeof sampleCard>[]): AnswerOf<'jobs.listed'> => ({
  items: jobs.map((card) => ({
    ...card,
    version: 1,
    status: 'open',
    expiresAt: null,
    applicants: 0,
    seriesId: null,
    newApplicants: 0,
    hired: 0,
    offered: 0,
    branch: null,
    seriesTotals: null,
    actions: [],
  })),
  nextCursor: null,
  counts: { open: jobs.length },
  total: jobs.length,
});

function open(api: Handlers = {}, past: { jobId: string; title: string } | null = null) {
  const onClose = vi.fn();
  const rendered = renderPart(
    <RebookSheet
      rebooking={{ worker: { workerId: worker.id, name: 'Leila Haddad' }, past }}
      businessId={sampleBusiness().id}
      onClose={onClose}
    />,
    { session: 'business', api: { 'jobs.listed': listed([sampleCard(), other]), ...api } },
  );
  return { ...rendered, onClose };
}

describe('hiring someone again', () => {
  it('asks for the job first', async () => {
    const { api } = open();
    await press('Prepare offer');
    expect(await screen.findByText('Choose a job.')).toBeTruthy();
    expect(api.calls('rebook.preview')).toHaveLength(0);
    fireEvent.click(screen.getByRole('radio', { name: /Night baker/ }));
    expect(screen.queryByText('Choose a job.')).toBeNull();
  });

  it("previews the selected job's offer, and shows why it is rejected", async () => {
    const { api } = open({
      'rebook.preview': () => {
        throw refuse('worker/unreachable');
      },
      'jobs.get': sampleJob(),
    });
    fireEvent.click(await screen.findByRole('radio', { name: /Night baker/ }));
    await press('Prepare offer');
    expect(await screen.findByText("You can't contact this worker.")).toBeTruthy();
    expect(api.inputs('rebook.preview')[0]).toEqual({ jobId: other.id, workerId: worker.id });
  });

  it('invites to the job instead', async () => {
    const { api, onClose } = open({
      'invitations.send': {
        id: '0193aaaa-0000-7000-8000-0000000000d5',
        workerId: worker.id,
        at: '2026-11-21T09:00:00Z',
      },
    });
    fireEvent.click(await screen.findByRole('radio', { name: /Night baker/ }));
    await press('Invite to apply');
    type(/^Message/, 'Again on Friday?');
    await press('Send invitation');
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(api.inputs('invitations.send')).toEqual([
      { jobId: other.id, workerId: worker.id, message: 'Again on Friday?' },
    ]);
  });

  it('offers the past job on another day', async () => {
    open(
      { 'jobs.get': sampleJob(), 'wallet.get': sampleWallet({ availableMinor: 9_000_000 }) },
      { jobId, title: terms.title },
    );
    fireEvent.click(await screen.findByRole('radio', { name: /Same job on another day/ }));
    await press('Choose the day');
    expect(await screen.findByText(/for one person. Only Leila Haddad sees it/)).toBeTruthy();
    type('Hourly pay', '1');
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toMatch(/^\d\d:\d\d$/);
  });

  it('leads to a new job without an open one', async () => {
    open({ 'jobs.listed': listed([]) });
    expect((await screen.findByRole('link', { name: 'Create job' })).getAttribute('href')).toBe(
      '/create-job',
    );
  });
});

describe('booking the same crew', () => {
  const people = ['Leila Haddad', 'Omar Said', 'Noor Bakker'].map((name, at) => ({
    workerId: `0193aaaa-0000-7000-8000-0000000000a${at}`,
    name,
  }));
  const openCrew = (api: Handlers = {}) => {
    const onClose = vi.fn();
    const rendered = renderPart(
      <CrewSheet crew={{ jobId, people }} businessId={sampleBusiness().id} onClose={onClose} />,
      {
        session: 'business',
        api: {
          'jobs.get': sampleJob(),
          'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
          'rebook.candidates': people.map(({ workerId, name }, index) => ({
            worker: { workerId, name, photoPath: null },
            pools: [],
            timesWorked: 1,
            weekMinutes: 0,
            weekHoursMax: null,
            isBooked: index === 0,
            missedAt: index === 0 ? '2026-11-20T08:00:00Z' : null,
            refusal: null,
            match: [],
          })),
          ...api,
        },
      },
    );
    return { ...rendered, onClose };
  };

  it('offers the shift to all of them in one press, on the same weekday ahead', async () => {
    const { api, onClose } = openCrew({
      'rebook.crew': ({ workerIds }) => ({
        jobId,
        offers: [],
        leftOut: workerIds.slice(2).map((workerId) => ({ workerId, code: 'worker/unreachable' as const })),
      }),
    });
    // Enabled once the source of the money is known.
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send 3 offers' }).disabled).toBe(false),
    );
    expect(await screen.findByText(/^Didn’t come on .*Booked at that time$/)).toBeTruthy();
    await press('Send 3 offers');
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(api.inputs('rebook.crew')).toMatchObject([
      { workerIds: people.map(({ workerId }) => workerId), day: expect.stringMatching(/^\d{4}-/) },
    ]);
    expect(api.inputs('rebook.candidates')[0]?.workerIds).toEqual(people.map(({ workerId }) => workerId));
    expect(await screen.findByText(/You can't contact Noor Bakker\./)).toBeTruthy();
  });

  it('offers it to the selected workers, and shows why it is rejected', async () => {
    const { api, onClose } = openCrew({
      'rebook.candidates': [],
      'rebook.crew': () => {
        throw refuse('job/starts-in-past');
      },
    });
    await screen.findByText("You can't contact Omar Said.");
    expect(screen.queryByText(/^We couldn’t check whether everyone is free/)).toBeNull();
    fireEvent.click(await screen.findByRole('checkbox', { name: /Omar Said/ }));
    await press('Send 2 offers');
    expect(await screen.findByText(/This shift would start in the past/)).toBeTruthy();
    expect(api.inputs('rebook.crew')[0]?.workerIds).toHaveLength(2);
    expect(onClose).not.toHaveBeenCalled();
  });
});
