import type { Offer } from '@nearhand/contract/hiring/offers';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleTerms } from '../../work/engagements/engagements.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { MakeOffer } from './make-offer.tsx';

const applicationId = '0193aaaa-0000-7000-8000-0000000000c1';
const preview = ({ payMinor = 1_800 }: { payMinor?: number }) => ({
  terms: sampleTerms({
    payMinor,
    payTotalMinor: payMinor * 6,
    workerGetsMinor: payMinor * 6,
    holdMinor: (payMinor * 66) / 10,
  }),
  spotsFree: 1,
  expiresAt: '2100-01-01T00:00:00Z',
  workerBooked: false,
});

function open(api: Handlers = {}) {
  const onDone = vi.fn();
  const onClose = vi.fn();
  const rendered = renderPart(
    <MakeOffer
      to={{ applicationId }}
      jobId={sampleJob().id}
      workerName="Leila Haddad"
      onDone={onDone}
      onMade={vi.fn()}
      onClose={onClose}
    />,
    {
      session: 'business',
      api: {
        'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
        'jobs.get': sampleJob(),
        'offers.preview': preview,
        'offers.make': sampleOffer(),
        ...api,
      },
    },
  );
  return { ...rendered, onDone, onClose };
}
const ready = () => screen.findByRole('radio', { name: /balance/i });

describe('an offer', () => {
  it('names the minimum pay of someone who is sent home early', async () => {
    open({
      'offers.preview': (input) => {
        const offer = preview(input);
        return { ...offer, terms: { ...offer.terms, minimumMinutes: 240 } };
      },
    });
    await ready();
    expect(screen.getByText('If you send Leila Haddad home early, you pay for at least 4 h')).toBeTruthy();
  });

  it.each([
    ['', 'Enter an amount, like 18 or 18.50.'],
    ['a lot', 'Enter an amount, like 18 or 18.50.'],
    ['18.505', 'Enter an amount, like 18 or 18.50.'],
    ['17.99', "Enter the job's pay of €18 or more."],
    ['-20', 'Enter an amount, like 18 or 18.50.'],
  ])('with %o hourly pay is rejected', async (typed, problem) => {
    const { api } = open();
    await ready();
    type('Hourly pay', typed);
    expect(problemAt('Hourly pay')).toBe(problem);
    expect(field('Hourly pay').value).toBe(typed);
    expect(screen.queryByRole('button', { name: /^Offer €/ })).toBeNull();
    await pressEnter('Hourly pay');
    expect(api.calls('offers.make')).toHaveLength(0);
    expect(api.inputs('offers.preview').map(({ payMinor }) => payMinor)).toEqual([undefined]);
  });

  it('waits for the payment methods and ignores presses before', async () => {
    const wallet = Promise.withResolvers<ReturnType<typeof sampleWallet>>();
    const { api, onDone } = open({ 'wallet.get': () => wallet.promise });
    const offer = await screen.findByRole<HTMLButtonElement>('button', { name: /^Offer €/ });
    expect(offer.disabled).toBe(true);
    wallet.resolve(sampleWallet({ availableMinor: 9_000_000 }));
    await ready();
    await press(/^Offer €/);
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.calls('offers.make')).toHaveLength(1);
  });

  it('shows the total of higher pay before it is sent, and keeps a typed comma', async () => {
    const { api, onDone } = open();
    await ready();
    type('Hourly pay', '20,');
    expect(field('Hourly pay').value).toBe('20,');
    type('Hourly pay', '20,50');
    await press('Offer €123 to Leila');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.inputs('offers.make')).toMatchObject([
      { applicationId, payMinor: 2_050, funding: { from: 'balance' } },
    ]);
  });

  it('asks and sends nothing until it shows the sum of the typed pay', async () => {
    const slow = Promise.withResolvers<void>();
    const { api } = open({
      'offers.preview': async (input) => {
        if (input.payMinor === 18_000) await slow.promise;
        return preview(input);
      },
    });
    await ready();
    type('Hourly pay', '180');
    await pressEnter('Hourly pay');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Offer €/ }).disabled).toBe(true);
    slow.resolve();
    await press(/^Offer €1,080/);
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('€1,188 of your balance is set aside');
    expect(api.calls('offers.make')).toHaveLength(0);
  });

  it('confirms pay that is probably a typing error, with the charge', async () => {
    const { api, onDone } = open();
    await ready();
    type('Hourly pay', '9999');
    await press(/^Offer €59,994/);
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain(
      'The pay is €9,999 an hour. €65,993.40 of your balance is set aside',
    );
    await press('Change it');
    expect(api.calls('offers.make')).toHaveLength(0);
    await press(/^Offer €59,994/);
    await press('Make the offer');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('is paid from the balance again once its pay is corrected', async () => {
    open({ 'wallet.get': sampleWallet({ availableMinor: 20_000 }) });
    const balance = await ready();
    expect(balance).toHaveProperty('checked', true);
    type('Hourly pay', '99');
    await waitFor(() => expect(balance).toHaveProperty('checked', false));
    type('Hourly pay', '19');
    await waitFor(() => expect(balance).toHaveProperty('checked', true));
  });

  it("at the job's pay sends no other", async () => {
    const { api, onDone } = open();
    await ready();
    type('Hourly pay', '18.00');
    await press('Offer €108 to Leila');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.inputs('offers.make')[0]).not.toHaveProperty('payMinor');
  });

  it("with a message over the limit shows an error and isn't sent", async () => {
    const { api } = open();
    await ready();
    type(/^Message/, 'x'.repeat(5_001));
    expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/);
    await press('Offer €108 to Leila');
    expect(api.calls('offers.make')).toHaveLength(0);
  });

  it('is sent once by Enter and the button together, with its message', async () => {
    const response = later<Offer>();
    const { api, onDone } = open({ 'offers.make': () => response.answer });
    await ready();
    type(/^Message/, 'Come and join us.');
    await pressEnter(/^Message/);
    await pressTwice('Offer €108 to Leila');
    await response.give(sampleOffer());
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('offers.make')).toMatchObject([{ message: 'Come and join us.' }]);
  });

  it('is the same offer when its response is lost and it is sent again', async () => {
    const { api, onDone } = open({
      'offers.make': () => {
        throw networkError();
      },
    });
    await ready();
    await press('Offer €108 to Leila');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    api.on({ 'offers.make': sampleOffer() });
    await press('Offer €108 to Leila');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    const [first, second] = api.calls('offers.make').map(({ idempotencyKey }) => idempotencyKey);
    expect(second).toBe(first);
  });

  it.each([
    ['the network is gone', networkError()],
    ['the job is full', refuse('job/filled')],
  ])('keeps pay and message when %s', async (_, failure) => {
    const { onDone } = open({
      'offers.make': () => {
        throw failure;
      },
    });
    await ready();
    type('Hourly pay', '20.50');
    type(/^Message/, 'Come and join us.');
    await press('Offer €123 to Leila');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect([field('Hourly pay').value, field(/^Message/).value]).toEqual(['20.50', 'Come and join us.']);
    expect(onDone).not.toHaveBeenCalled();
  });

  it('keeps its message when the sheet is closed', async () => {
    const first = open();
    await ready();
    type(/^Message/, 'Come and join us.');
    await press('Not now');
    expect(first.onClose).toHaveBeenCalled();
    first.unmount();
    open();
    await ready();
    expect(field(/^Message/).value).toBe('Come and join us.');
  });

  it("shows what is missing without a payment method, and isn't sent", async () => {
    const { api } = open({ 'wallet.get': sampleWallet({ availableMinor: 0, cards: [] }) });
    const missing = 'Your balance is too low for this. Add money, or use a card.';
    await ready();
    expect(screen.queryByText(missing)).toBeNull();
    await press('Offer €108 to Leila');
    expect(await screen.findByText(missing)).toBeTruthy();
    expect(api.calls('offers.make')).toHaveLength(0);
  });

  it('is disabled without a free spot', async () => {
    const { api } = open({ 'offers.preview': { ...preview({}), spotsFree: 0 } });
    await ready();
    expect(screen.getByRole('button', { name: 'Offer €108 to Leila' }).hasAttribute('disabled')).toBe(true);
    await pressEnter('Hourly pay');
    fireEvent.click(screen.getByRole('button', { name: 'Offer €108 to Leila' }));
    expect(api.calls('offers.make')).toHaveLength(0);
  });
});

describe('an offer over the budget of a member', () => {
  const budgets = (status?: 'open') => ({
    currency: 'EUR' as const,
    budgets: [
      {
        period: 'month' as const,
        from: '2026-12-01',
        kind: 'member' as const,
        branchId: null,
        memberId: applicationId,
        name: 'Sam Okafor',
        limitMinor: 10_000,
        raisedMinor: 0,
        usedMinor: 5_000,
      },
    ],
    mayExceed: false,
    requests: status
      ? [
          {
            id: applicationId,
            status,
            jobId: sampleJob().id,
            jobTitle: 'Barista',
            memberName: 'Sam Okafor',
            workerName: 'Leila Haddad',
            payMinor: 1_800,
            period: 'month' as const,
            from: '2026-12-01',
            amountMinor: 11_880,
            currency: 'EUR' as const,
            createdAt: '2026-11-21T10:00:00.000Z',
            startsAt: null,
            timeZone: 'Europe/Amsterdam',
            exceeded: [],
            reason: '',
          },
        ]
      : [],
  });

  it('asks an owner with the applicant and the pay', async () => {
    const { api } = open({
      'budgets.forJob': budgets(),
      'budgets.ask': () => Promise.reject(networkError()),
    });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Over budget' });
    expect(button.disabled).toBe(true);
    await press('Ask an owner');
    await waitFor(() =>
      expect(api.inputs('budgets.ask')).toMatchObject([
        { applicationId, payMinor: 1_800, amountMinor: 11_880 },
      ]),
    );
  });

  it('waits for the owner at its button', async () => {
    open({ 'budgets.forJob': budgets('open') });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Waiting for an owner' });
    expect(button.disabled).toBe(true);
    expect(screen.getByText('From your balance')).toBeTruthy();
  });
});
