import type { Dispute, Engagement } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { RenderOptions } from '../../../test/device.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { workStepTitle } from '../engagements/work-steps.tsx';
import { disputeAmount, disputeNextText, disputeStepText } from './dispute.labels.ts';
import { DisputePart } from './dispute.tsx';

afterEach(cleanup);

const work = (change: Partial<Engagement> = {}): Engagement =>
  ({
    id: 'e',
    side: 'business',
    business: { id: 'b', name: 'Kopi & Crumb', verified: true, logoPath: null },
    worker: { id: 'w', name: 'Leila Haddad', photoPath: null },
    terms: { currency: 'EUR', timeZone: 'Europe/Amsterdam', payTotalMinor: 10_800 },
    claims: [],
    releases: [],
    dispute: null,
    ...change,
  }) as Engagement;
const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  id: 'd',
  version: 1,
  status: 'open',
  filedBy: 'worker',
  why: 'filed',
  reason: 'I stayed until two.',
  workerAmountMinor: 10_800,
  businessAmountMinor: null,
  proposal: null,
  dueAt: '2026-11-26T09:00:00Z',
  stopAt: '2026-12-21T09:00:00Z',
  settledMinor: null,
  steps: [
    {
      action: 'file',
      status: 'open',
      by: 'worker',
      at: '2026-11-21T09:00:00Z',
      reason: 'I stayed until two.',
      amountMinor: 10_800,
      files: [],
    },
  ],
  actions: ['answer', 'propose'],
  ...change,
});
const show = (engagement: Engagement, options: RenderOptions = {}) =>
  renderPart(<DisputePart engagement={engagement} />, options);

describe('a dispute', () => {
  it("shows only the server's actions, and each side's statement", () => {
    show(work({ dispute: dispute() }));
    expect(screen.getByRole('button', { name: 'Answer' })).toBeTruthy();
    expect(screen.getByText('No amount yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Agree/ })).toBeNull();
  });

  it('shows why it opened automatically, and whose note it is', () => {
    const openDispute = dispute({ filedBy: 'timer', why: 'rounds', reason: 'I closed up alone.' });
    const { container } = show(work({ dispute: openDispute }));
    expect(container.textContent).toContain("Opened automatically because you didn't agree on the hours");
    expect(container.textContent).toContain('Leila Haddad: I closed up alone.');
    cleanup();
    show(work({ dispute: { ...openDispute, why: 'no-check-in', reason: '' } }));
    expect(screen.getByText(/^Opened automatically because no one checked in/)).toBeTruthy();
    expect(screen.queryByText('Leila Haddad:')).toBeNull();
  });

  it('puts agreeing to a proposal first', () => {
    const proposal = { by: 'worker', amountMinor: 9_000, note: '', at: '2026-11-22T09:00:00Z' } as const;
    show(
      work({ dispute: dispute({ status: 'proposed', proposal, actions: ['propose', 'accept-proposal'] }) }),
    );
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Agree to €90',
      'Propose another amount',
    ]);
  });

  it('shows the business the cost of agreeing, including our fee and the refund, before it agrees', async () => {
    const preview: ReleasePreview = {
      engagementId: '0193aaaa-0000-7000-8000-0000000000e1',
      currency: 'EUR',
      heldMinor: 11_880,
      alreadyPaidMinor: 0,
      payMinor: 9_000,
      workerGetsMinor: 9_000,
      feeMinor: 900,
      businessFeeBasisPoints: 1_000,
      workerFeeBasisPoints: 0,
      backMinor: 1_980,
      missingMinor: 0,
      balanceCovers: false,
      clearsAt: null,
    };
    const proposal = { by: 'worker', amountMinor: 9_000, note: '', at: '2026-11-22T09:00:00Z' } as const;
    const disputed = work({
      id: preview.engagementId,
      dispute: dispute({ status: 'proposed', proposal, actions: ['accept-proposal'] }),
    });
    const { api } = show(disputed, { session: 'business', api: { 'pay.releasePreview': preview } });
    fireEvent.click(screen.getByRole('button', { name: 'Agree to €90' }));
    expect(await screen.findByText('Nearhand fee, 10%')).toBeTruthy();
    expect(api.inputs('pay.releasePreview')).toEqual([{ engagementId: disputed.id, payMinor: 9_000 }]);
    expect(screen.getByText('−€9')).toBeTruthy();
    expect(screen.getByText('€19.80')).toBeTruthy();
  });

  it('shows the worker the net amount when they pay a fee', () => {
    const proposal = { by: 'business', amountMinor: 9_000, note: '', at: '2026-11-22T09:00:00Z' } as const;
    const terms = { currency: 'EUR', timeZone: 'Europe/Amsterdam', workerFeeBasisPoints: 500 };
    const openDispute = dispute({ status: 'proposed', proposal, actions: ['accept-proposal'] });
    show(work({ side: 'worker', terms: terms as Engagement['terms'], dispute: openDispute }));
    fireEvent.click(screen.getByRole('button', { name: 'Agree to €90' }));
    expect(screen.getByText('−€4.50')).toBeTruthy();
    expect(screen.getByText('€85.50')).toBeTruthy();
  });

  it('is empty without a dispute, and has no action when it is settled', () => {
    expect(show(work()).container.textContent).toBe('');
    cleanup();
    show(work({ dispute: dispute({ status: 'settled', settledMinor: 9_900, actions: [] }) }));
    expect(screen.getByText('Settled on')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('names who has to answer by when', () => {
    expect(disputeNextText(dispute(), work({ side: 'worker' }))).toMatch(
      /^Kopi & Crumb can answer until Thu/,
    );
    expect(disputeNextText(dispute(), work())).toMatch(/^You can answer until Thu/);
    expect(disputeNextText(dispute({ status: 'with_operator' }), work())).toMatch(/Nearhand/);
  });

  it('shows both that Nearhand decided, and why', () => {
    const step: Dispute['steps'][number] = {
      action: 'decide',
      status: 'settled',
      by: 'operator',
      amountMinor: 7_000,
      files: [],
      at: '2026-11-26T09:00:00Z',
      reason: 'Two of three sides are painted.',
    };
    const decided = dispute({ status: 'settled', settledMinor: 7_000, steps: [step], actions: [] });
    for (const side of ['worker', 'business'] as const) {
      expect(disputeStepText(step, work({ side }))).toBe('Nearhand decided');
      expect(workStepTitle({ ...step, action: 'settle' }, work({ side }))).toBe(
        'Nearhand decided the dispute',
      );
      const { container } = show(work({ side, dispute: decided }));
      expect(container.textContent).toContain('Two of three sides are painted.');
      cleanup();
    }
    expect(workStepTitle({ ...step, action: 'overturn' }, work({ side: 'worker' }))).toMatch(/you worked$/);
    expect(workStepTitle({ ...step, action: 'overturn' }, work())).toMatch(/Leila Haddad worked$/);
    expect(workStepTitle({ ...step, action: 'uphold' }, work())).toMatch(/no-show confirmed$/);
  });

  it('accepts amounts between the agreed part and the whole', () => {
    const paid = work({
      releases: [
        {
          kind: 'undisputed',
          amountMinor: 5_000,
          currency: 'EUR',
          state: 'not_funded',
          workerGetsMinor: 0,
          clearsAt: null,
          note: '',
          at: '',
        },
      ],
    });
    expect(disputeAmount('84,50', paid)).toEqual({ minor: 8_450 });
    expect(disputeAmount('49', paid)).toMatchObject({ error: expect.stringContaining('€50') });
    expect(disputeAmount('109', paid)).toMatchObject({ error: expect.stringContaining('€108') });
    expect(disputeAmount('much', paid)).toHaveProperty('error');
  });
});
