import { createHash } from 'node:crypto';
import type { WorkerInvoice } from '@nearhand/contract/money/worker-invoices';
import { selfBillingVersion } from '@nearhand/contract/money/worker-invoices.rules';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type AnswerOf, type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const invoice = (change: Partial<WorkerInvoice> = {}): WorkerInvoice => ({
  id: id('01'),
  kind: 'invoice',
  number: 'NH10001-2026-0011',
  issuedOn: '2026-12-01',
  from: '2026-11-07',
  to: '2026-11-28',
  worker: 'Leila Haddad',
  business: 'Kopi & Crumb B.V.',
  netMinor: 10_000,
  vatMinor: 2_100,
  paidMinor: 12_100,
  currency: 'EUR',
  vat: [{ category: 'S', rateBasisPoints: 2_100 }],
  corrects: null,
  objectUntil: '2026-12-08T03:17:00.000Z',
  objection: null,
  hasReplacement: false,
  ...change,
});
const details = {
  legalName: 'Leila Haddad',
  street: 'Bilderdijkkade 52-2',
  postcode: '1053 VK',
  town: 'Amsterdam',
  countryCode: 'NL',
  taxNumber: '84710326',
  vatStatus: 'exempt' as const,
  vatId: '',
  vatSince: null,
  updatedAt: '2026-11-01T10:00:00.000Z',
};
const noReport: AnswerOf<'sellerReports.mine'> = {
  law: { storedYears: 7, countryCode: 'NL', reportBy: '01-31' },
  details: null,
  request: null,
  years: [],
};
type Setup = AnswerOf<'workerInvoices.setup'>;
const noSetup: Setup = { details: null, agreement: null, currentVersion: selfBillingVersion };

const open = (api: Handlers = {}, path = '/user-transaction?show=invoices') =>
  renderApp(path, {
    session: 'worker',
    now: '2026-12-02T10:00:00Z',
    api: {
      'statements.mine': never,
      'sellerReports.mine': noReport,
      'workerInvoices.setup': { ...noSetup, details },
      'workerInvoices.mine': { items: [invoice()], nextCursor: null },
      ...api,
    },
  });

describe("a worker's invoices", () => {
  it('show what was paid and its VAT, and accept an objection with a reason', async () => {
    const object = vi.fn(() => invoice({ objection: 'details' }));
    open({ 'workerInvoices.object': object });
    const row = (await screen.findByText('NH10001-2026-0011')).closest('li') as HTMLElement;
    for (const part of ['Kopi & Crumb B.V.', '€121', '€21 VAT']) expect(row.textContent).toContain(part);
    fireEvent.click(screen.getByRole('button', { name: 'Object to NH10001-2026-0011' }));
    fireEvent.click(await screen.findByLabelText('wrong details about me'));
    fireEvent.click(screen.getByRole('button', { name: 'Send objection' }));
    await vi.waitFor(() => expect(object).toHaveBeenCalled());
    expect(object.mock.calls[0]).toMatchObject([{ workerInvoiceId: id('01'), reason: 'details' }, {}]);
  });

  it('lead to the report to the tax office only when something is reported or needed for it', async () => {
    const first = open();
    await screen.findByText('NH10001-2026-0011');
    expect(screen.queryByRole('link', { name: 'Show the report' })).toBeNull();
    first.unmount();
    const request = {
      askedAt: '2026-11-21T09:00:00.000Z',
      waitsFrom: '2027-01-20T09:00:00.000Z',
      isWaiting: false,
    };
    open({ 'sellerReports.mine': { ...noReport, request } });
    expect(await screen.findByRole('link', { name: 'Show the report' })).toBeTruthy();
  });

  it('have no e-invoice and no objection as pro formas', async () => {
    open({
      'workerInvoices.mine': {
        items: [invoice({ kind: 'pro_forma', number: 'PF10001-2026-0001', objectUntil: null })],
        nextCursor: null,
      },
    });
    await screen.findByText('PF10001-2026-0001');
    expect(screen.queryByText('UBL')).toBeNull();
    expect(screen.queryByText(/^Object to/)).toBeNull();
  });

  it('can be issued again after an objection, and pro formas become invoices under an agreement', async () => {
    const replace = vi.fn(() => invoice({ hasReplacement: true }));
    const agreement = { version: selfBillingVersion, agreedAt: '2026-11-01T10:00:00.000Z' };
    open({
      'workerInvoices.replace': replace,
      'workerInvoices.setup': { ...noSetup, details, agreement },
      'workerInvoices.mine': {
        items: [
          invoice({ objection: 'details' }),
          invoice({ id: id('02'), number: 'NH10001-2026-0012', objection: 'amount' }),
          invoice({ id: id('03'), number: 'NH10001-2026-0013', objection: 'other', hasReplacement: true }),
          invoice({ id: id('04'), kind: 'pro_forma', number: 'PF10001-2026-0001', objectUntil: null }),
        ],
        nextCursor: null,
      },
    });
    await screen.findByRole('button', { name: 'Make an invoice of PF10001-2026-0001' });
    expect(screen.getAllByRole('button', { name: /^Issue .* again$/ })).toHaveLength(1);
    expect(screen.getByText('Replaced')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Issue NH10001-2026-0011 again' }));
    const dialog = await screen.findByRole('alertdialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Issue again' }));
    await vi.waitFor(() => expect(replace).toHaveBeenCalled());
    expect(replace.mock.calls[0]).toMatchObject([{ workerInvoiceId: id('01') }, {}]);
    await screen.findByText(/^New invoice issued/);
  });

  it('lead to the tax details when nothing would change on a new one', async () => {
    open({
      'workerInvoices.setup': {
        ...noSetup,
        details,
        agreement: { version: selfBillingVersion, agreedAt: '2026-11-01T10:00:00.000Z' },
      },
      'workerInvoices.mine': { items: [invoice({ objection: 'details' })], nextCursor: null },
      'workerInvoices.replace': () => {
        throw refuse('invoice/unchanged');
      },
    });
    const again = await screen.findByRole('button', { name: 'Issue NH10001-2026-0011 again' });
    fireEvent.click(again);
    fireEvent.click(await screen.findByRole('button', { name: 'Correct tax details' }));
    const sheet = await screen.findByRole('dialog', { name: 'Tax details' });
    expect(within(sheet).getByRole('button', { name: 'Save tax details' })).toBeTruthy();
    fireEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    fireEvent.click(again);
    const dialog = await screen.findByRole('alertdialog', { name: 'Issue this invoice again?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Issue again' }));
    const refused = await screen.findByRole('alertdialog', { name: 'No new invoice was issued' });
    fireEvent.click(within(refused).getByRole('button', { name: 'Correct tax details' }));
    expect(await screen.findByRole('dialog', { name: 'Tax details' })).toBeTruthy();
    expect(screen.queryByText(/nothing would change on this invoice/)).toBeNull();
  });

  it('are issued again after details were corrected on the day of issue', async () => {
    const replace = vi.fn(() => invoice({ hasReplacement: true }));
    open({
      'workerInvoices.setup': {
        ...noSetup,
        details: { ...details, updatedAt: '2026-12-01T12:00:00.000Z' },
        agreement: { version: selfBillingVersion, agreedAt: '2026-11-01T10:00:00.000Z' },
      },
      'workerInvoices.mine': { items: [invoice({ objection: 'details' })], nextCursor: null },
      'workerInvoices.replace': replace,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Issue NH10001-2026-0011 again' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Issue this invoice again?' });
    expect(dialog.textContent).toContain('a new invoice has your current tax details');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Issue again' }));
    await screen.findByText(/^New invoice issued/);
  });

  it('say why a new one was refused for any other reason, without sending anyone to the details', async () => {
    open({
      'workerInvoices.setup': {
        ...noSetup,
        details,
        agreement: { version: selfBillingVersion, agreedAt: '2026-11-01T10:00:00.000Z' },
      },
      'workerInvoices.mine': { items: [invoice({ objection: 'details' })], nextCursor: null },
      'workerInvoices.replace': () => {
        throw refuse('invoice/not-replaceable');
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Issue NH10001-2026-0011 again' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Issue this invoice again?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Issue again' }));
    expect(await screen.findByText(/^This document was already replaced/)).toBeTruthy();
    expect(screen.queryByRole('alertdialog', { name: 'No new invoice was issued' })).toBeNull();
  });

  it('lead to support after an objection that no tax details settle', async () => {
    open({
      'workerInvoices.mine': {
        items: [
          invoice({ objection: 'details' }),
          invoice({ id: id('02'), number: 'NH10001-2026-0012', objection: 'amount' }),
          invoice({ id: id('03'), number: 'NH10001-2026-0013', objection: 'other' }),
          invoice({ id: id('04'), number: 'NH10001-2026-0014' }),
        ],
        nextCursor: null,
      },
    });
    expect(await screen.findAllByRole('link', { name: 'Ask support for a correction' })).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Object to NH10001-2026-0014' }));
    fireEvent.click(await screen.findByLabelText('something else'));
    expect(screen.getByText(/Tell support what’s wrong/)).toBeTruthy();
  });

  it('offer true answers about VAT in a country whose VAT they can’t show', async () => {
    const registered = {
      ...details,
      vatStatus: 'registered' as const,
      vatId: 'NL861942735B01',
      vatSince: '2026-01-01',
    };
    const save = vi.fn((): Setup => ({ ...noSetup, details }));
    const first = open({
      'workerInvoices.setup': { ...noSetup, details: registered },
      'workerInvoices.saveDetails': save,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit tax details' }));
    const form = await screen.findByRole('dialog', { name: 'Tax details' });
    fireEvent.change(within(form).getByLabelText('Country'), { target: { value: 'IS' } });
    expect(screen.queryByLabelText('VAT ID')).toBeNull();
    expect(within(form).queryByRole('radio', { checked: true })).toBeNull();
    expect(screen.getByLabelText(/^Yes, or I’m not sure/)).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/^No/));
    fireEvent.click(screen.getByRole('button', { name: 'Save tax details' }));
    await vi.waitFor(() =>
      expect(save.mock.calls[0]).toMatchObject([{ countryCode: 'IS', vatStatus: 'exempt', vatId: '' }, {}]),
    );
    first.unmount();
    open({ 'workerInvoices.setup': { ...noSetup, details: { ...details, countryCode: 'IS' } } });
    await screen.findByText('Your invoices have no VAT.');
    expect(screen.queryByText(/^Small-business scheme/)).toBeNull();
  });

  it('require tax details first, with problems at their fields, and an agreement', async () => {
    const save = vi.fn((): Setup => ({ ...noSetup, details }));
    const first = open({ 'workerInvoices.setup': noSetup, 'workerInvoices.saveDetails': save });
    fireEvent.click(await screen.findByRole('button', { name: 'Add tax details' }));
    expect(screen.queryByText('Read the agreement')).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: 'Save tax details' }));
    await screen.findByText('Choose one of the options.');
    fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'FR' } });
    fireEvent.click(screen.getByLabelText(/^No, I’m in the small-business scheme/));
    expect(screen.getByText(/TVA non applicable, art. 293 B du CGI/)).toBeTruthy();
    expect(screen.queryByLabelText('VAT ID')).toBeNull();
    await screen.findByText('Enter your tax number. Without a VAT ID, an invoice needs one.');
    fireEvent.change(screen.getByLabelText(/^Tax number/), { target: { value: '123' } });
    await screen.findByText(/^That isn't a tax number from this country \(France\)/);
    fireEvent.click(screen.getByLabelText('Yes'));
    await screen.findByText('Enter your VAT ID.');
    expect(screen.getByText('Enter the first day with VAT.')).toBeTruthy();
    expect(save).not.toHaveBeenCalled();
    first.unmount();
    open();
    const link = await screen.findByRole('link', { name: 'Read the agreement' });
    expect(link.getAttribute('href')).toBe('/user-transaction?show=agreement');
  });
});

describe('the self-billing agreement', () => {
  const read = (setup: Setup, api: Handlers = {}) =>
    open({ 'workerInvoices.setup': setup, ...api }, '/user-transaction?show=agreement');

  it('shows its version and date, and is accepted only after its box is ticked', async () => {
    const agree = vi.fn((): Setup => ({ ...noSetup, details }));
    read({ ...noSetup, details }, { 'workerInvoices.agree': agree });
    await screen.findByText('4. No invoices of your own');
    expect(screen.getByText(`Version ${selfBillingVersion} of Sunday 29 November 2026`)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Agree to self-billing' }));
    await screen.findByText('Read the agreement, then tick this box.');
    expect(agree).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('checkbox'));
    fireEvent.click(screen.getByRole('button', { name: 'Agree to self-billing' }));
    await vi.waitFor(() => expect(agree).toHaveBeenCalled());
    expect(agree.mock.calls[0]).toMatchObject([{ version: selfBillingVersion }, {}]);
    await screen.findByText(/^You agreed to self-billing/);
    expect(await screen.findByRole('heading', { name: 'Your documents' })).toBeTruthy();
  });

  it('leads to the tax details it needs, and asks for a reload after a newer version', async () => {
    const first = read(noSetup);
    const link = await screen.findByRole('link', { name: 'Add tax details' });
    expect(link.getAttribute('href')).toBe('/user-transaction?show=invoices');
    first.unmount();
    const agreement = { version: selfBillingVersion, agreedAt: '2026-11-01T10:00:00.000Z' };
    read({ details, agreement, currentVersion: selfBillingVersion + 1 });
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('is requested again after an older version, but not after this one', async () => {
    const agreedAt = '2026-11-01T10:00:00.000Z';
    const first = read({ ...noSetup, details, agreement: { version: 1, agreedAt } });
    await screen.findByText(/^You agreed to version 1 on/);
    expect(screen.getByRole('button', { name: 'Agree to self-billing' })).toBeTruthy();
    first.unmount();
    const second = open({
      'workerInvoices.setup': { ...noSetup, details, agreement: { version: 1, agreedAt } },
    });
    await screen.findByText('The agreement has changed. Please read the new version and agree to it.');
    second.unmount();
    read({ ...noSetup, details, agreement: { version: selfBillingVersion, agreedAt } });
    await screen.findByText(/^You agreed to this version on/);
    expect(screen.queryByRole('button', { name: 'Agree to self-billing' })).toBeNull();
  });

  it('matches its version: changed text requires the next version', async () => {
    const hashes: Record<number, string> = { 2: 'a74f8ee8bd4167b5' };
    read({ ...noSetup, details });
    await screen.findByText('7. Keeping documents');
    const words = document.querySelector('.terms')?.textContent ?? '';
    expect(createHash('sha256').update(words).digest('hex').slice(0, 16)).toBe(hashes[selfBillingVersion]);
  });
});

describe("workers' invoices of a business", () => {
  it('show the month with its sums, and an objection', async () => {
    renderApp('/merchant-transaction?show=invoices', {
      session: 'business',
      now: '2026-12-02T10:00:00Z',
      api: {
        'businesses.mine': [sampleBusiness({ registeredTown: 'Amsterdam', vatId: 'NL861942735B01' })],
        'engagements.forBusiness': never,
        'interviews.mine': never,
        'invoices.list': { items: [], nextCursor: null, uninvoiced: [] },
        'receipts.list': { items: [], nextCursor: null },
        'workerInvoices.forBusiness': {
          items: [invoice({ objection: 'amount' })],
          nextCursor: null,
          totals: [{ currency: 'EUR', netMinor: 10_000, vatMinor: 2_100, paidMinor: 12_100 }],
        },
      },
    });
    await screen.findByText('Objection: wrong hours or amount');
    expect(screen.getByText('Paid to workers').closest('div')?.textContent).toContain('€121');
    expect(screen.queryByText(/^Object to/)).toBeNull();
  });

  it('do not say that no one was paid in a month without invoices', async () => {
    renderApp('/merchant-transaction?show=invoices', {
      session: 'business',
      now: '2026-12-02T10:00:00Z',
      api: {
        'businesses.mine': [sampleBusiness({ budgetRequests: 2 })],
        'engagements.forBusiness': never,
        'interviews.mine': never,
        'invoices.list': { items: [], nextCursor: null, uninvoiced: [] },
        'receipts.list': { items: [], nextCursor: null },
        'workerInvoices.forBusiness': { items: [], nextCursor: null, totals: [] },
      },
    });
    expect(await screen.findByText(/^No workers’ invoices for/)).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Budgets (2)' })).toBeTruthy();
  });
});
