import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import { sampleConversation } from '../../talk/conversations/conversations.fixtures.ts';
import { sampleInterview } from '../interviews/interviews.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { BulkApplicantBar } from './bulk-bar.tsx';

const actions = ['propose-interview', 'reject'] as const;
const leila = sampleApplicant({ actions: [...actions] });
const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const omar = {
  ...leila,
  id: id('c2'),
  worker: { ...leila.worker, workerId: id('d2'), name: 'Omar Said' },
};
const elsewhere = { ...leila, id: id('c3'), jobId: id('b9') };

function open(checked: (typeof leila)[], api: Handlers = {}) {
  const onClear = vi.fn();
  const rendered = renderPart(
    <BulkApplicantBar businessId={undefined} checked={checked} onClear={onClear} />,
    {
      session: 'business',
      now: '2026-11-21T09:00:00Z',
      api,
    },
  );
  return { ...rendered, onClear };
}

describe('a message to several applicants', () => {
  it('goes to each applicant once, in their own conversation', async () => {
    const { api, onClear } = open([leila, elsewhere, omar], {
      'conversations.open': ({ workerId }) => {
        if (workerId === omar.worker.workerId) throw refuse('chat/not-connected');
        return sampleConversation();
      },
      'messages.send': never,
    });
    await press('Message');
    await press('Send to 2 people');
    await waitFor(() => expect(problemAt('Message')).toBe('Write a message.'));
    type('Message', 'Bring your own apron');
    await press('Send to 2 people');
    expect(await screen.findByText('1 message is being sent. Not to Omar Said.')).toBeTruthy();
    expect(api.inputs('conversations.open')).toEqual([
      { jobId: leila.jobId, workerId: leila.worker.workerId },
      { jobId: omar.jobId, workerId: omar.worker.workerId },
    ]);
    expect(onClear).toHaveBeenCalledOnce();
  });
});

describe('interviews for several applicants', () => {
  it.each([
    ['the last', omar, 'Times sent to 1 person. Not to Omar Said.'],
    ['the first', leila, `Times sent to 1 person. Not to ${leila.worker.name}.`],
  ])(
    'propose each applicant a time and name those moved in the meantime: %s',
    async (_which, moved, toast) => {
      const { api } = open([leila, omar], {
        'applicants.get': leila,
        'jobs.get': sampleJob({ startsAt: '2026-12-12T07:00:00Z', endsAt: '2026-12-12T13:00:00Z' }),
        'interviews.propose': ({ applicationId }) => {
          if (applicationId === moved.id) throw refuse('application/wrong-state', { status: 'rejected' });
          return sampleInterview({ side: 'business', status: 'proposed' });
        },
        'interviews.mine': { items: [], nextCursor: null },
      });
      await press('Interview');
      await screen.findByLabelText('Meeting link');
      type('Meeting link', 'https://meet.example.org/abc');
      const suggested = await screen.findByRole('group', { name: 'Suggested times' });
      suggested.querySelector('button')?.click();
      await press('Add 1 more time');
      expect(await screen.findByText('Add 2 times or more: everyone gets one of their own.')).toBeTruthy();
      expect(api.calls('interviews.propose')).toHaveLength(0);
      await press('Add 1 time after the last');
      const rows = screen
        .getAllByText(/^Accepts or declines by /)
        .map((row) => row.closest('li')?.textContent);
      expect(rows).toEqual([
        expect.stringMatching(/^Leila Haddad.*10:00.*Accepts or declines by .*08:00/),
        expect.stringMatching(/^Omar Said.*10:30.*Accepts or declines by .*08:30/),
      ]);
      await press('Propose 2 times');
      expect(await screen.findByText(toast)).toBeTruthy();
      const inputs = api.inputs('interviews.propose');
      expect(inputs.map(({ applicationId }) => applicationId)).toEqual([leila.id, omar.id]);
      const [first, second] = inputs.map(({ slots }) => slots);
      expect([first?.length, second?.length]).toEqual([1, 1]);
      expect(Date.parse(second?.[0] ?? '') - Date.parse(first?.[0] ?? '')).toBe(30 * 60_000);
    },
  );

  it('keep the applicants that failed, and invite nobody twice', async () => {
    let reachable = false;
    const { api, onClear } = open([leila, omar], {
      'applicants.get': leila,
      'jobs.get': sampleJob({ startsAt: '2026-12-12T07:00:00Z', endsAt: '2026-12-12T13:00:00Z' }),
      'interviews.propose': ({ applicationId }) => {
        if (applicationId === omar.id && !reachable) throw networkError();
        return sampleInterview({ side: 'business', status: 'proposed' });
      },
      'interviews.mine': { items: [], nextCursor: null },
    });
    await press('Interview');
    await screen.findByLabelText('Meeting link');
    type('Meeting link', 'https://meet.example.org/again');
    const suggested = await screen.findByRole('group', { name: 'Suggested times' });
    suggested.querySelector('button')?.click();
    await press('Add 1 time after the last');
    await press('Propose 2 times');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect(onClear).not.toHaveBeenCalled();
    expect(screen.getByLabelText<HTMLInputElement>('Meeting link').value).toBe(
      'https://meet.example.org/again',
    );
    reachable = true;
    // A sent time is never given to anyone else, even if it is chosen again.
    const again = await screen.findByRole('group', { name: 'Suggested times' });
    expect(again.querySelector('[aria-pressed="true"]')).toBeNull();
    await press('Propose this time');
    expect(await screen.findByText('Times sent to 2 people')).toBeTruthy();
    const [sent, failed, repeated] = api.inputs('interviews.propose').map(({ slots }) => slots);
    expect(repeated).toEqual(failed);
    expect(sent).not.toEqual(repeated);
    expect(api.inputs('interviews.propose').map(({ applicationId }) => applicationId)).toEqual([
      leila.id,
      omar.id,
      omar.id,
    ]);
    // If his first times arrived after all, the same key makes the second press a success.
    const keys = api.calls('interviews.propose').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[2]).toBe(keys[1]);
  });

  it('are for one job at a time, and say so', async () => {
    open([omar, elsewhere]);
    await press('Interview');
    expect(await screen.findByText(/^Interviews are for one job\./)).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
