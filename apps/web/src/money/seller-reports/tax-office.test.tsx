import type { SellerView } from '@nearhand/contract/money/seller-reports';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const none = { paidMinor: 0, feeMinor: 0, activities: 0 };
const view: SellerView = {
  law: { storedYears: 7, countryCode: 'NL', reportBy: '01-31' },
  details: null,
  request: {
    askedAt: '2026-11-21T09:00:00.000Z',
    waitsFrom: '2027-01-20T09:00:00.000Z',
    isWaiting: false,
  },
  years: [
    {
      year: 2026,
      sentAt: '2027-01-10T09:00:00.000Z',
      isOmitted: false,
      currency: 'EUR',
      quarters: [{ paidMinor: 101_705, feeMinor: 333, activities: 3 }, { ...none, paidMinor: 2 }, none, none],
    },
  ],
};
const details = {
  firstName: 'Leila',
  lastName: 'Haddad',
  bornOn: '1996-02-29',
  street: 'Bilderdijkkade 52-2',
  postcode: '1053 VK',
  town: 'Amsterdam',
  countryCode: 'NL',
  taxNumber: '111222333',
};
const noSetup = { details: null, agreement: null, currentVersion: 1 };
const open = (api: Handlers = {}) =>
  renderApp('/user-transaction?show=tax-office', {
    session: 'worker',
    now: '2026-12-02T10:00:00Z',
    api: { 'sellerReports.mine': view, 'workerInvoices.setup': noSetup, ...api },
  });
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('the report to the tax office', () => {
  it('shows pay by quarter, and says from when withdrawals wait and that no money is lost', async () => {
    open();
    const heading = await screen.findByRole('heading', { name: '2026, EUR' });
    const year = heading.closest('.card') as HTMLElement;
    for (const part of ['€1,017.07', '€1,017.05', '€3.33', '€0.02', 'Reported to the tax office'])
      expect(year.textContent).toContain(part);
    expect(screen.getByText(/withdrawals wait from/).textContent).toMatch(/20.Jan.*Your money stays yours/);
  });

  it('says that a report was sent without the worker, and that new details don’t change it', async () => {
    const years = view.years.map((year) => ({ ...year, isOmitted: true }));
    open({ 'sellerReports.mine': { ...view, details, request: null, years } });
    expect(await screen.findByText(/was sent on .*10 Jan.* without this pay/)).toBeTruthy();
    expect(screen.queryByText(/^Reported to the tax office/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Edit my details' }));
    expect(await screen.findByText(/stays as it is until we correct it/)).toBeTruthy();
  });

  it('names the tax office and the day of a report that is not sent', async () => {
    open({ 'sellerReports.mine': { ...view, years: [{ ...view.years[0], sentAt: null }] as never } });
    expect((await screen.findByText(/^Not reported yet/)).textContent).toMatch(/by .*2027.*\(Netherlands\)/);
  });

  it('starts the form from the details for invoices, without their number', async () => {
    const { street, postcode, town, countryCode } = details;
    const taxDetails = {
      legalName: 'Leila El Haddad',
      street,
      postcode,
      town,
      countryCode: countryCode as 'NL',
      taxNumber: '81264097',
      vatStatus: 'unsure' as const,
      vatId: '',
      vatSince: null,
      updatedAt: '2026-11-21T09:00:00.000Z',
    };
    open({ 'workerInvoices.setup': { ...noSetup, details: taxDetails } });
    fireEvent.click(await screen.findByRole('button', { name: 'Add my details' }));
    const inputOf = (label: RegExp) => (screen.getByLabelText(label) as HTMLInputElement).value;
    await screen.findByLabelText('Last name');
    expect([/^First name/, /^Last name/, /^Town/, /^Tax number/].map(inputOf)).toEqual([
      'Leila El',
      'Haddad',
      'Amsterdam',
      '',
    ]);
  });

  it('says that withdrawals wait now, once they do', async () => {
    open({ 'sellerReports.mine': { ...view, request: { ...view.request, isWaiting: true } as never } });
    expect((await screen.findByText(/^Withdrawals wait until/)).textContent).toContain(
      'Your money stays yours',
    );
  });

  it.each([
    ['a law', null],
    ['pay to report', view.law],
  ])('asks for nothing without %s', async (_without, law) => {
    open({ 'sellerReports.mine': { law, details: null, request: null, years: [] } });
    expect(await screen.findByText(/^There is no pay for self-employed work to report/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add my details' })).toBeNull();
  });

  it('takes the details, and refuses a number of a business register at its field', async () => {
    const save = vi.fn(() => ({ ...view, details, request: null }));
    open({ 'sellerReports.saveDetails': save });
    fireEvent.click(await screen.findByRole('button', { name: 'Add my details' }));
    expect(screen.getByText(/^We pass these on to the tax office only.*for 7 years/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Save details' }));
    expect(await screen.findByText('Enter your last name.')).toBeTruthy();
    expect(screen.getByText('Pick the country where you pay tax.')).toBeTruthy();
    type('Last name', 'Haddad');
    type('Date of birth', '1996-02-29');
    type('Street and number', 'Bilderdijkkade 52-2');
    type('Postcode', '1053 VK');
    type('Town', 'Amsterdam');
    type('Country where you pay tax', 'NL');
    type('Tax number', '81264097');
    fireEvent.click(screen.getByRole('button', { name: 'Save details' }));
    expect(await screen.findByText(/isn’t the tax number of a person.*111222333/)).toBeTruthy();
    expect(save).not.toHaveBeenCalled();
    type('Tax number', '111222333');
    fireEvent.click(screen.getByRole('button', { name: 'Save details' }));
    await vi.waitFor(() => expect(save).toHaveBeenCalled());
    expect(save.mock.calls[0]).toMatchObject([{ ...details, firstName: '' }, {}]);
  });
});
