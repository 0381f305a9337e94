import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { leila, sampleBusiness, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, problemAt, type } from '../../../test/typing.ts';
import VerifyScreen from './verify.screen.tsx';

// The country of a phone number comes from the list of places.
vi.mock('../places/gazetteer-source.ts', () => ({ countryOfPoint: async () => 'NL' }));

type Phone = VerificationOverview['phone'];
const code = (change: Partial<NonNullable<Phone['code']>> = {}): Phone['code'] => ({
  phone: '+31612345678',
  expiresAt: '2099-01-01T10:10:00Z',
  resendAt: '2000-01-01T00:00:00Z',
  triesLeft: 5,
  undelivered: false,
  ...change,
});
const overview = (
  phone: Partial<Phone> = {},
  rest: Partial<VerificationOverview> = {},
): VerificationOverview => ({
  accountId: leila.id,
  email: { address: 'leila@example.org', checked: true },
  phone: { available: true, status: 'none', number: null, checkedAt: null, code: null, ...phone },
  payout: { status: 'none', reason: null, decidedAt: null },
  ...rest,
});
const noDocument = {
  status: 'none' as const,
  document: null,
  name: null,
  submittedAt: null,
  decidedAt: null,
  reason: null,
  photosDeletedAt: null,
  decisionId: null,
  maySend: true,
};
const open = (api: Handlers, session: 'worker' | 'business' = 'worker') =>
  renderPart(<VerifyScreen />, {
    path: '/verify',
    session,
    api: {
      'profiles.mine': sampleProfile(),
      'businesses.mine': [],
      'identityChecks.mine': noDocument,
      'certificates.mine': [],
      ...api,
    },
  });
const card = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the verification screen', () => {
  it('shows what was checked, when, and what it unlocks', async () => {
    open({
      'verification.overview': overview(
        { status: 'checked', number: '+31612345678', checkedAt: '2026-11-20T09:00:00Z' },
        { payout: { status: 'verified', reason: null, decidedAt: '2026-11-21T09:00:00Z' } },
      ),
      'businesses.mine': [sampleBusiness({ status: 'needs_info' })],
    });
    const phone = await card('Phone');
    expect(phone.getByText('Phone number checked')).toBeTruthy();
    expect(phone.getByText(/^Checked on .*20\sNov/)).toBeTruthy();
    expect((await card('Identity for payouts')).getByText('Payout identity checked')).toBeTruthy();
    expect((await card('Your businesses')).getByText('More information needed')).toBeTruthy();
  });

  it('begins with the businesses for someone who hires', async () => {
    open({ 'verification.overview': overview(), 'businesses.mine': [sampleBusiness()] }, 'business');
    await card('Your businesses');
    const order = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));
    expect(order.indexOf('Your businesses')).toBeLessThan(order.indexOf('Email'));
  });

  it('shows why it failed to load', async () => {
    open({
      'verification.overview': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your checks")).toBeTruthy();
  });

  it("hides the code when texts can't be sent", async () => {
    open({ 'verification.overview': overview({ available: false }) });
    const phone = await card('Phone');
    expect(phone.getByText("We can't send texts at the moment. Try again later.")).toBeTruthy();
    expect(phone.queryByRole('button')).toBeNull();
  });
});

describe('checking a number', () => {
  it('rejects an invalid number, then texts a code', async () => {
    const sent: unknown[] = [];
    open({
      'verification.overview': overview(),
      'verification.sendPhoneCode': (input) => {
        sent.push(input);
        return overview({ code: code() });
      },
    });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check your number' }));
    type('Mobile number', '0612345678');
    fireEvent.click(screen.getByRole('button', { name: 'Text me a code' }));
    await waitFor(() => expect(problemAt('Mobile number')).toMatch(/country code/));
    expect(sent).toEqual([]);
    type('Mobile number', '+31 6 1234-5678');
    fireEvent.click(screen.getByRole('button', { name: 'Text me a code' }));
    await waitFor(() => expect(sent).toEqual([{ phone: '+31612345678' }]));
  });

  it('asks for an open code at once, and shows the attempts left', async () => {
    open({
      'verification.overview': overview({ code: code() }),
      'verification.confirmPhone': () => {
        throw refuse('phone-check/wrong-code', { left: 1 });
      },
    });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check your number' }));
    expect(await screen.findByText(/We texted a code to .\+31.6.12345678/)).toBeTruthy();
    type('Code', '12345');
    fireEvent.click(screen.getByRole('button', { name: 'Check number' }));
    await waitFor(() => expect(problemAt('Code')).toBe('Enter the 6 digits of the code.'));
    type('Code', '123 456');
    fireEvent.click(screen.getByRole('button', { name: 'Check number' }));
    await waitFor(() => expect(problemAt('Code')).toBe("That's not the code. You have 1 try left."));
    expect(field('Code').value).toBe('');
  });

  it('keeps the code, without an error at it, when something else is wrong', async () => {
    open({
      'verification.overview': overview({ code: code() }),
      'verification.confirmPhone': () => {
        throw refuse('phone-check/taken');
      },
    });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check your number' }));
    type('Code', '123456');
    fireEvent.click(screen.getByRole('button', { name: 'Check number' }));
    await screen.findByText(/^Another account uses this number/);
    expect(field('Code').value).toBe('123456');
    expect(problemAt('Code')).toBeNull();
  });

  it('asks for another number in an empty field, and shows what happens to the first', async () => {
    open({
      'verification.overview': overview({
        status: 'checked',
        number: '+31612345678',
        checkedAt: '2026-11-20T09:00:00Z',
      }),
    });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check another number' }));
    expect(await screen.findByRole('dialog', { name: 'Check another number' })).toBeTruthy();
    expect(field('Mobile number').value).toBe('');
    expect(await screen.findByText(/this number replaces .\+31.6.12345678/)).toBeTruthy();
  });

  it("shows that a text couldn't be delivered", async () => {
    open({ 'verification.overview': overview({ code: code({ undelivered: true }) }) });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check your number' }));
    expect(await screen.findByText(/couldn't be delivered to .\+31.6.12345678/)).toBeTruthy();
  });

  it('shows that another account uses the number', async () => {
    open({
      'verification.overview': overview({ code: code() }),
      'verification.confirmPhone': () => {
        throw refuse('phone-check/taken');
      },
    });
    fireEvent.click((await card('Phone')).getByRole('button', { name: 'Check your number' }));
    type('Code', '123456');
    fireEvent.click(screen.getByRole('button', { name: 'Check number' }));
    expect(await screen.findByText(/^Another account uses this number\./)).toBeTruthy();
  });
});
