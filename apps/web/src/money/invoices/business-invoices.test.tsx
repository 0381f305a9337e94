import type { Invoice } from '@nearhand/contract/money/invoices';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const invoice = (change: Partial<Invoice> = {}): Invoice => ({
  id: id('01'),
  kind: 'invoice',
  number: 'NHF-2026-000041',
  issuedOn: '2026-12-01',
  from: '2026-11-02',
  to: '2026-11-30',
  netMinor: 31_320,
  vatMinor: 6_577,
  totalMinor: 37_897,
  dueMinor: 6_577,
  currency: 'EUR',
  vat: [{ category: 'S', rateBasisPoints: 2_100 }],
  corrects: null,
  credited: true,
  ...change,
});
const creditNote = invoice({
  id: id('02'),
  kind: 'credit_note',
  number: 'NHF-2026-000042',
  netMinor: -600,
  vatMinor: -126,
  totalMinor: -726,
  dueMinor: -126,
  corrects: 'NHF-2026-000041',
  credited: false,
});
const list = (change: Partial<AnswerOf<'invoices.list'>> = {}): AnswerOf<'invoices.list'> => ({
  items: [creditNote, invoice()],
  nextCursor: null,
  uninvoiced: [],
  ...change,
});
const business = sampleBusiness({ registeredTown: 'Amsterdam', vatId: 'NL861942735B01' });

const open = (api: Handlers = {}, of = business, width = 390) =>
  renderApp('/merchant-transaction?show=invoices', {
    session: 'business',
    width,
    now: '2026-12-02T10:00:00Z',
    api: {
      'businesses.mine': [of],
      'engagements.forBusiness': never,
      'interviews.mine': never,
      'invoices.list': list(),
      'receipts.list': { items: [], nextCursor: null },
      'workerInvoices.forBusiness': { items: [], nextCursor: null, totals: [] },
      ...api,
    },
  });

describe('the invoices of a business', () => {
  it('show their number, VAT and total, and a credit note names what it corrects', async () => {
    open();
    const first = (await screen.findByText('NHF-2026-000041')).closest('li, tr') as HTMLElement;
    for (const part of ['21%', '€378.97', '1\u00a0Dec']) expect(first.textContent).toContain(part);
    const second = screen.getByText('NHF-2026-000042').closest('li, tr') as HTMLElement;
    for (const part of ['Corrects NHF-2026-000041', '−€7.26']) expect(second.textContent).toContain(part);
    expect(screen.queryByText('Not invoiced yet')).toBeNull();
    expect(screen.queryByText(/registered address/)).toBeNull();
  });

  it("can be downloaded with a month's receipts, the last month first, or show that there are none", async () => {
    const { api } = open({ 'downloads.month': () => Promise.reject(refuse('statement/not-found')) });
    await press('Download all');
    expect(await screen.findByText('There are no invoices or receipts for November 2026.')).toBeDefined();
    expect(api.calls('downloads.month').map(({ input }) => input)).toEqual([
      { businessId: business.id, month: '2026-11' },
    ]);
  });

  it('can be downloaded as PDF, UBL and CII, or show why not', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const { api } = open({
      'downloads.invoice': ({ format }) => ({
        path: '/stored-invoice',
        fileName: `NHF-2026-000041.${format}`,
        expiresAt: '2026-12-02T10:05:00Z',
      }),
    });
    const request = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) =>
      String(call[0]).endsWith('/stored-invoice') ? new Response('file') : request(...call),
    );
    await press(/NHF-2026-000041.*378/);
    await vi.waitFor(() => expect(saved).toEqual(['NHF-2026-000041.pdf']));
    await press('Download NHF-2026-000041 as UBL');
    await vi.waitFor(() => expect(saved).toEqual(['NHF-2026-000041.pdf', 'NHF-2026-000041.xml']));
    await press('Download NHF-2026-000041 as CII');
    await vi.waitFor(() => expect(saved.at(-1)).toBe('NHF-2026-000041.cii'));
    expect(api.inputs('downloads.invoice')).toEqual([
      { invoiceId: id('01'), format: 'pdf' },
      { invoiceId: id('01'), format: 'xml' },
      { invoiceId: id('01'), format: 'cii' },
    ]);
    api.on({
      'downloads.invoice': () => {
        throw refuse('statement/not-found');
      },
    });
    await press('Download NHF-2026-000041 as UBL');
    expect(await screen.findByText('We can’t find this entry.')).toBeTruthy();
  });

  it('have the PDF first in the table, and list receipts by month', async () => {
    const receipt = { party: 'Leila Haddad', about: 'Barista', amountMinor: 9_350, currency: 'EUR' } as const;
    const issued = ['2026-12-01T10:00:00Z', '2026-11-30T10:00:00Z', '2026-11-02T10:00:00Z'];
    open(
      {
        'receipts.list': {
          items: issued.map((issuedAt, at) => ({
            ...receipt,
            id: id(`1${at}`),
            number: `R-${at}`,
            issuedAt,
          })),
          nextCursor: null,
        },
      },
      business,
      1280,
    );
    const row = within((await screen.findByText('NHF-2026-000041')).closest('tr') as HTMLElement);
    expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['PDF', 'UBL', 'CII']);
    const november = within(await screen.findByRole('region', { name: 'November 2026' }));
    expect(november.getAllByRole('listitem')).toHaveLength(2);
  });

  it('are issued at once on request, or show why not', async () => {
    const { api } = open({
      'invoices.list': list({ items: [], uninvoiced: [{ currency: 'EUR', feeMinor: 2_640 }] }),
      'invoices.issue': () => {
        throw refuse('invoice/no-issuer');
      },
    });
    const card = await screen.findByRole('region', { name: 'Not invoiced yet' });
    expect(card.textContent).toContain('€26.40');
    await press('Issue invoice now');
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Issue an invoice for €26.40?');
    await press('Not now');
    expect(api.inputs('invoices.issue')).toEqual([]);
    await press('Issue invoice now');
    await press('Issue invoice');
    expect(await within(card).findByText("We can't issue invoices yet. Contact support.")).toBeTruthy();
    api.on({ 'invoices.issue': [invoice()], 'invoices.list': list({ items: [invoice()] }) });
    await press('Issue invoice now');
    await press('Issue invoice');
    expect(await screen.findByText('NHF-2026-000041')).toBeTruthy();
    expect(screen.queryByText('Not invoiced yet')).toBeNull();
    expect(await screen.findByText('The invoice for €26.40 is issued.')).toBeTruthy();
  });

  it('ask for the registered address, then for the VAT id', async () => {
    const first = open({}, { ...business, registeredTown: '' });
    expect(await screen.findByText(/Add your registered address/)).toBeTruthy();
    first.unmount();
    open({}, { ...business, vatId: '' });
    expect(await screen.findByText(/Add your VAT id/)).toBeTruthy();
  });
});
