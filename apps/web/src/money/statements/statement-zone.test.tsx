import type { StatementDetail as Detail } from '@nearhand/contract/money/statements';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementList } from './statement-list.tsx';

afterEach(cleanup);

/** Half past six in the evening of 31 October in New York, 1 November in Auckland. */
const line: Detail = {
  id: '019aa000-0000-7000-8000-000000000001',
  at: '2026-10-31T22:30:00Z',
  kind: 'top_up',
  amountMinor: 50_000,
  grossMinor: 50_000,
  feeMinor: 0,
  currency: 'EUR',
  balanceMinor: 50_000,
  about: 'Visa •••• 8820',
  workOn: null,
  party: null,
  status: null,
  engagementId: null,
  withdrawalId: null,
  parts: [],
  evidence: {
    startsAt: null,
    endsAt: null,
    checkedInAt: null,
    checkedOutAt: null,
    paidMinutes: null,
    approvedAt: '2026-10-31T22:30:00Z',
    approvedBy: 'Nadia Rahmani',
    timeZone: null,
  },
  receiptId: null,
  invoiceId: null,
  branch: 'Centrum',
  invoiceNumber: null,
};
const show = (timeZone: string) =>
  renderPart(
    <>
      <StatementList lines={[line]} side="business" timeZone={timeZone} onOpen={() => {}} />
      <StatementDetail line={line} side="business" timeZone={timeZone} />
    </>,
    { languages: ['en-US'] },
  );
const words = (element: Element = document.body) => (element.textContent ?? '').replaceAll('\u00a0', ' ');

describe('a statement line', () => {
  it("shows its day, month and time in the statement's zone, for any reader", () => {
    show('America/New_York');
    expect(words(screen.getByRole('region', { name: /October/ }))).toMatch(/Oct 31/);
    expect(words()).toMatch(/Oct 31, 6:30\sPM.*Approved by Nadia Rahmani.*Oct 31, 6:30\sPM/);
    cleanup();
    show('Pacific/Auckland');
    expect(words(screen.getByRole('region', { name: /November/ }))).toMatch(/Nov 1/);
    expect(words()).toMatch(/Nov 1, 11:30\sAM/);
    expect(words()).not.toMatch(/Oct/);
  });
});
