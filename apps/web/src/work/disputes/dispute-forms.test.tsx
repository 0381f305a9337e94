import type { Dispute, Engagement } from '@nearhand/contract/work/engagements';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { sampleEngagement, sampleTerms } from '../engagements/engagements.fixtures.ts';
import { DisputeForm, FileDispute } from './dispute-forms.tsx';

const rota = { id: '0193aaaa-0000-7000-8000-0000000000f1', purpose: 'work', name: 'rota.pdf' } as const;
vi.mock('../../lib/forms/upload-file.ts', () => ({
  uploadFile: vi.fn(async () => ({
    ...rota,
    mediaType: 'application/pdf',
    bytes: 9,
    path: '/files/x/content',
  })),
}));
const work = (change: Partial<Engagement> = {}): Engagement =>
  sampleEngagement({ version: 4, side: 'worker', status: 'submitted', ...change });
const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  id: '0193aaaa-0000-7000-8000-0000000000d9',
  version: 2,
  status: 'open',
  filedBy: 'business',
  why: 'filed',
  reason: 'You left early.',
  workerAmountMinor: null,
  businessAmountMinor: 9_000,
  proposal: null,
  dueAt: '2026-11-26T09:00:00Z',
  stopAt: '2026-12-21T09:00:00Z',
  settledMinor: null,
  steps: [],
  actions: ['answer', 'propose'],
  ...change,
});
const paid: Engagement['releases'][number] = {
  kind: 'undisputed',
  amountMinor: 5_000,
  workerGetsMinor: 5_000,
  currency: 'EUR',
  state: 'released',
  at: '2026-11-21T15:00:00Z',
  clearsAt: null,
  note: '',
};
const amount = 'Correct amount for the whole job';

function Filing({ own, onDone, onClose }: { own: Engagement; onDone: () => void; onClose: () => void }) {
  return <FileDispute engagement={own} action={useAction()} onDone={onDone} onClose={onClose} />;
}

describe('filing a dispute', () => {
  it('starts at the pay for the recorded hours if more were submitted', () => {
    open(
      {},
      work({
        side: 'business',
        amountMinor: 10_800,
        checkedInAt: '2026-11-28T07:00:00Z',
        checkedOutAt: '2026-11-28T11:00:00Z',
        terms: sampleTerms({
          startsAt: '2026-11-28T07:00:00Z',
          endsAt: '2026-11-28T13:00:00Z',
          breakMinutes: 0,
        }),
      }),
    );
    expect(field(amount).value).toBe('72');
  });

  const open = (api: Handlers = {}, own = work()) => {
    const onDone = vi.fn();
    const onClose = vi.fn();
    const rendered = renderPart(<Filing own={own} onDone={onDone} onClose={onClose} />, {
      session: 'worker',
      api: { 'disputes.file': own, 'engagements.get': own, ...api },
    });
    return { ...rendered, onDone, onClose };
  };

  it("starts from the job's pay and requires a reason", async () => {
    const { api } = open();
    expect(field(amount).value).toBe('108');
    await press('Open dispute');
    await waitFor(() => expect(problemAt("What's wrong?")).toBe('Write a sentence or two.'));
    expect(document.activeElement).toBe(field("What's wrong?"));
    type("What's wrong?", ' \n ');
    expect(problemAt("What's wrong?")).toBe('Write a sentence or two.');
    type("What's wrong?", 'I stayed until two.');
    expect(problemAt("What's wrong?")).toBeNull();
    expect(api.calls('disputes.file')).toHaveLength(0);
  });

  it('attaches photos and PDFs', async () => {
    const { api } = open();
    const file = new File(['%PDF-1.7 1 0 obj %%EOF'], 'rota.pdf', { type: 'application/pdf' });
    fireEvent.change(screen.getByTestId('work-files'), { target: { files: [file] } });
    await screen.findByRole('button', { name: 'Remove rota.pdf' });
    type("What's wrong?", 'I stayed until two.');
    await press('Open dispute');
    await waitFor(() => expect(api.inputs('disputes.file')).toMatchObject([{ fileIds: [rota.id] }]));
  });

  it.each([
    ['', 'Enter an amount, like 84 or 84.50.'],
    ['all of it', 'Enter an amount, like 84 or 84.50.'],
    ['84.505', 'Enter an amount, like 84 or 84.50.'],
    ['9999999', /^Enter €.* or less\.$/],
  ])('rejects %o as the pay', async (typed, problem) => {
    const { api } = open();
    type("What's wrong?", 'I stayed until two.');
    type(amount, typed);
    await pressEnter(amount);
    expect(problemAt(amount)).toMatch(problem);
    expect(field(amount).value).toBe(typed);
    expect(document.activeElement).toBe(field(amount));
    expect(api.calls('disputes.file')).toHaveLength(0);
  });

  it('requires at least what is paid already', async () => {
    const { api } = open({}, work({ releases: [paid] }));
    type("What's wrong?", 'I stayed until two.');
    type(amount, '49.99');
    await press('Open dispute');
    await waitFor(() => expect(problemAt(amount)).toBe('Enter at least €50, which is already agreed.'));
    expect(api.calls('disputes.file')).toHaveLength(0);
  });

  it('reports a reason that is too long', async () => {
    const { api } = open();
    type("What's wrong?", 'x'.repeat(5_001));
    await press('Open dispute');
    await waitFor(() => expect(problemAt("What's wrong?")).toMatch(/characters or fewer\.$/));
    expect(api.calls('disputes.file')).toHaveLength(0);
  });

  it('sends it once with the version, and deletes the draft', async () => {
    const filed = later<Engagement>();
    const first = open({ 'disputes.file': () => filed.answer });
    type("What's wrong?", ' I stayed until two. ');
    type(amount, '100,50');
    await pressEnter(amount);
    await pressTwice('Open dispute');
    await filed.give(work());
    await waitFor(() => expect(first.onDone).toHaveBeenCalledTimes(1));
    expect(first.api.inputs('disputes.file')).toEqual([
      {
        engagementId: work().id,
        version: 4,
        fileIds: [],
        reason: 'I stayed until two.',
        amountMinor: 10_050,
      },
    ]);
    first.unmount();
    open();
    expect([field(amount).value, field("What's wrong?").value]).toEqual(['108', '']);
  });

  it('keeps the text when the sheet is closed and when it is rejected', async () => {
    const first = open();
    type("What's wrong?", 'I stayed until two.');
    type(amount, '100.50');
    await press('Not now');
    first.unmount();
    const { onDone } = open({
      'disputes.file': () => {
        throw refuse('engagement/stale', { status: 'approved' });
      },
    });
    expect([field(amount).value, field("What's wrong?").value]).toEqual(['100.50', 'I stayed until two.']);
    await press('Open dispute');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect(field("What's wrong?").value).toBe('I stayed until two.');
    expect(onDone).not.toHaveBeenCalled();
  });
});

describe('answering a dispute', () => {
  const open = (step: 'answer' | 'propose', api: Handlers = {}) => {
    const onDone = vi.fn();
    const rendered = renderPart(
      <DisputeForm
        step={step}
        engagement={work({ dispute: dispute() })}
        dispute={dispute()}
        onDone={onDone}
        onClose={vi.fn()}
      />,
      { session: 'worker', api: { 'disputes.answer': work(), 'disputes.propose': work(), ...api } },
    );
    return { ...rendered, onDone };
  };

  it('requires a note for an answer, but none for a proposal', async () => {
    const first = open('answer');
    await press('Send answer');
    await waitFor(() => expect(problemAt('What happened?')).toBe('Write a sentence or two.'));
    first.unmount();
    const { api, onDone } = open('propose');
    type(amount, '100');
    await press('Send proposal');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.inputs('disputes.propose')).toEqual([
      { disputeId: dispute().id, version: 2, note: '', amountMinor: 10_000 },
    ]);
  });

  it('keeps the answer without a network', async () => {
    let losses = 1;
    const { api, onDone } = open('answer', {
      'disputes.answer': () => {
        if (losses-- > 0) throw networkError();
        return work();
      },
    });
    type('What happened?', 'I stayed until two.');
    await press('Send answer');
    await screen.findByText(/connection|reach|network/i);
    expect(field('What happened?').value).toBe('I stayed until two.');
    await press('Send answer');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.calls('disputes.answer')).toHaveLength(2);
  });
});
