import type { PayCase } from '@nearhand/contract/trust/case-facts';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { type OperatorAtWork, OperatorProvider } from '../sign-in/operator-session.ts';
import { PayFacts } from './pay-facts.tsx';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const step = (action: string, by: string, reason: string) => ({
  action,
  by,
  reason,
  at: '2026-12-01T15:05:00.000Z',
  status: 'open',
  amountMinor: null,
});
const side = { completed: 4, disputes: 0, noShowCount: 0, noShows: [] };
const disputed = {
  kind: 'dispute',
  title: 'Sunday barista',
  timeZone: 'Europe/Amsterdam',
  startsAt: null,
  endsAt: null,
  stopAt: null,
  worker: { id, name: 'Leila Haddad' },
  business: { id, name: 'Kopi Corner' },
  currency: 'EUR',
  plannedMinor: 9_900,
  heldMinor: 10_890,
  funding: 'funded',
  workerAmountMinor: 9_900,
  businessAmountMinor: 6_000,
  proposal: null,
  reason: 'She left two hours early.',
  steps: [
    step('file', 'business', 'She left two hours early.'),
    step('answer', 'worker', 'I left at the end.'),
  ],
  attendance: [],
  attempts: [],
  wrongCodes: [],
  history: { worker: side, business: side, together: 0 },
  claims: [],
  deliveries: [],
  shown: [],
  effects: [],
} as unknown as PayCase & { kind: string };

const showFacts = (facts: typeof disputed, kind: 'dispute' | 'no_show' | 'second_approval') =>
  renderPart(
    <OperatorProvider value={{ id, roles: [], present: true } as unknown as OperatorAtWork}>
      <PayFacts facts={facts} caseRef={{ kind, subjectId: id }} />
    </OperatorProvider>,
    { session: 'worker', api: {} },
  );

it('has the chat around the work, except in the second approval of a decision', async () => {
  const { unmount } = showFacts(disputed, 'dispute');
  expect(await screen.findByRole('region', { name: 'Chat around the work' })).toBeTruthy();
  unmount();
  showFacts(disputed, 'second_approval');
  expect(await screen.findByRole('region', { name: 'History' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Chat around the work' })).toBeNull();
});

it('says that nobody tried to check in, and what both sides did before', async () => {
  const noShow = {
    engagementId: id,
    title: 'Sunday barista',
    at: '2026-11-02T15:05:00.000Z',
    outcome: 'worked' as const,
  };
  const facts = {
    ...disputed,
    kind: 'no_show',
    jobKind: 'shift' as const,
    history: { worker: side, business: { ...side, noShowCount: 1, noShows: [noShow] }, together: 1 },
  };
  showFacts(facts, 'no_show');
  expect((await screen.findByRole('region', { name: 'Refused check-ins' })).textContent).toContain(
    'No attempts. Leila Haddad never tried to check in.',
  );
  const before = screen.getByRole('region', { name: 'Before this work' }).textContent;
  expect(before).toContain('Leila Haddad completed work for Kopi Corner once.');
  expect(before).toContain('Sunday barista, contested, and we decided that they worked');
});

it('shows the words of both sides of a dispute together', async () => {
  showFacts(disputed, 'dispute');
  const sides = await screen.findByRole('region', { name: 'What both sides say' });
  expect(sides.textContent).toMatch(/Kopi Corner saysShe left two hours early\./);
  expect(sides.textContent).toMatch(/Leila Haddad saysI left at the end\./);
});
