import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { sampleSettings } from '../../../test/people.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleDate, sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplication } from './applications.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

function open(application: MyApplication, api: Handlers = {}) {
  return renderApp(`/tabs/menu/my-work/${application.id}`, {
    session: 'worker',
    now: '2026-11-21T10:00:00Z',
    api: { 'applications.get': application, 'reliability.ofBusiness': never, ...api },
  });
}
const offered = sampleApplication({
  status: 'offered',
  offer: {
    id: sampleOffer().id,
    status: 'sent',
    expiresAt: '2026-11-22T09:00:00Z',
    funding: 'funded',
    pay: payOfTerms(sampleOffer().terms),
  },
  actions: ['withdraw'],
});
const openOffer = (offer: Partial<Offer> = {}, api: Handlers = {}) =>
  open(offered, { 'offers.get': sampleOffer(offer), ...api });

describe('an application', () => {
  it('shows its status and the reply deadline', async () => {
    open(sampleApplication());
    expect((await screen.findAllByText(/Front desk, evenings/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/3\sDec/).length).toBeGreaterThan(0);
  });

  it('of someone else, or deleted, shows an error with a retry', async () => {
    open(sampleApplication(), {
      'applications.get': () => {
        throw refuse('application/not-found');
      },
    });
    expect(await screen.findByText("We couldn't load your application")).toBeTruthy();
  });

  it('names work booked later that overlaps, with a way out', async () => {
    open(sampleApplication(), {
      'calendar.mine': [
        {
          kind: 'engagement',
          id: id('e2'),
          title: 'Late barista',
          businessName: 'Kopi & Crumb',
          startsAt: '2026-12-10T20:00:00Z',
          endsAt: '2026-12-10T23:00:00Z',
          timeZone: 'Europe/Amsterdam',
          status: 'scheduled',
          where: 'Jordaan',
          path: `/tabs/menu/my-work/engagement/${id('e2')}`,
        },
      ],
    });
    const work = await screen.findByRole('link', { name: 'Late barista' });
    const banner = within(work.closest('.banner') as HTMLElement);
    expect(banner.getByText(/You’re booked then/)).toBeTruthy();
    fireEvent.click(banner.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByRole('alertdialog', { name: 'Withdraw your application?' })).toBeTruthy();
  });

  it('is withdrawn once, after a confirmation', async () => {
    const { api } = open(sampleApplication());
    await press('Withdraw');
    const alert = within(await screen.findByRole('alertdialog', { name: 'Withdraw your application?' }));
    fireEvent.click(alert.getByRole('button', { name: 'Keep application' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: /Withdraw/ })).toBeNull());
    expect(api.calls('applications.withdraw')).toEqual([]);
    const withdrawn = sampleApplication({ status: 'withdrawn', actions: [], version: 2 });
    api.on({ 'applications.withdraw': withdrawn, 'applications.get': withdrawn });
    await press('Withdraw');
    const again = within(await screen.findByRole('alertdialog', { name: 'Withdraw your application?' }));
    const yes = again.getByRole('button', { name: 'Withdraw application' });
    fireEvent.click(yes);
    fireEvent.click(yes);
    expect(await screen.findByRole('link', { name: 'See the job' })).toBeTruthy();
    expect(api.calls('applications.withdraw')).toHaveLength(1);
  });

  it('for a series is withdrawn for all open shifts at once', async () => {
    const application = sampleApplication();
    const { job } = application;
    const series = {
      shifts: 3,
      firstStartsAt: '2026-11-30T07:00:00Z',
      lastStartsAt: '2026-11-30T07:00:00Z',
      payRange: null,
      asBlock: false,
    };
    const dates = [
      sampleDate(28, { myApplication: { id: application.id, status: 'submitted', workEnding: null } }),
      sampleDate(29, { myApplication: { id: id('a9'), status: 'shortlisted', workEnding: null } }),
      sampleDate(30, { myApplication: { id: id('b0'), status: 'rejected', workEnding: null } }),
    ];
    const { api } = open(
      { ...application, job: { ...job, series, seriesId: job.id } },
      {
        'jobs.get': sampleJob({ id: job.id, dates, series }),
        'applications.withdraw': sampleApplication({ status: 'withdrawn', actions: [], version: 2 }),
      },
    );
    const shifts = within(await screen.findByRole('region', { name: 'Shifts' }));
    expect(shifts.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
      [application.id, id('a9'), id('b0')].map((applicationId) => `/tabs/menu/my-work/${applicationId}`),
    );
    await press('Withdraw');
    const alert = within(await screen.findByRole('alertdialog', { name: 'Withdraw your application?' }));
    fireEvent.click(await alert.findByRole('button', { name: 'Withdraw for 2 shifts' }));
    await waitFor(() =>
      expect(api.inputs('applications.withdraw')).toEqual([
        { applicationId: application.id, alsoFor: [id('a9')] },
      ]),
    );
  });

  it("shows why it couldn't be withdrawn, and stays unchanged", async () => {
    open(sampleApplication(), {
      'applications.withdraw': () => {
        throw refuse('application/wrong-state', { status: 'hired' });
      },
    });
    await press('Withdraw');
    await press('Withdraw application');
    expect(
      await screen.findByRole('alertdialog', { name: "Your application wasn't withdrawn" }),
    ).toBeTruthy();
  });

  it("follows the business's reply", async () => {
    const { api } = open(sampleApplication());
    await screen.findByRole('button', { name: 'Withdraw' });
    api.on({ 'applications.get': sampleApplication({ status: 'rejected', actions: [], version: 2 }) });
    signal({ kind: 'record', record: 'application', id: sampleApplication().id });
    expect(await screen.findByRole('link', { name: 'Find work nearby' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull();
  });
});

describe('an offer', () => {
  it('shows its terms, that the pay is secured, and until when it is open', async () => {
    openOffer();
    const card = await screen.findByRole('region', { name: 'The offer' });
    expect(card.textContent).toContain('€108');
    expect(within(card).getByText('Your pay is secured')).toBeTruthy();
    expect(within(card).getByText(/Reply by .*22\sNov/)).toBeTruthy();
    expect(within(card).queryByText('Time is up')).toBeNull();
  });

  it('shows that it has expired', async () => {
    openOffer({ expiresAt: '2026-11-21T09:59:00Z' });
    const card = await screen.findByRole('region', { name: 'The offer' });
    expect(within(card).getByText('Time is up')).toBeTruthy();
  });

  it('that was withdrawn is no longer shown with its pay', async () => {
    const { job, steps } = sampleApplication();
    const step = { reason: null, rejectReason: null };
    open(
      sampleApplication({
        status: 'viewed',
        steps: [
          ...steps,
          { ...step, status: 'offered', at: '2026-11-20T09:00:00Z' },
          { ...step, status: 'viewed', at: '2026-11-21T09:00:00Z' },
        ],
        offer: offered.offer && { ...offered.offer, status: 'withdrawn' },
      }),
      { 'offers.get': sampleOffer({ status: 'withdrawn', actions: [] }) },
    );
    expect(await screen.findByText(`${job.business.name} withdrew the offer`)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'The offer' })).toBeNull();
    expect(screen.queryByText(/€108/)).toBeNull();
  });

  it('warns about missing funding', async () => {
    openOffer({ funding: 'not_funded' });
    expect(await screen.findByText('No money set aside')).toBeTruthy();
  });

  it('is accepted once, after a summary of its effect, and opens the work', async () => {
    const { api } = openOffer({}, { 'settings.get': { ...sampleSettings, lateCancelHours: 36 } });
    await press('Accept for €108');
    const alert = await screen.findByRole('alertdialog', { name: 'Accept this offer?' });
    await waitFor(() => expect(alert.textContent).toContain('Cancelling less than 36 hours before'));
    expect(alert.textContent).toContain('Westerstraat 112');
    api.on({
      'offers.accept': sampleOffer({ status: 'accepted', actions: [], engagementId: id('e1') }),
      'engagements.get': never,
    });
    const yes = within(alert).getByRole('button', { name: 'Accept and be booked' });
    fireEvent.click(yes);
    fireEvent.click(yes);
    // Only spoken: the headline of the booked job says it.
    expect((await screen.findByText("You're booked")).closest('.toast')).toBeNull();
    await waitFor(() => expect(address()).toBe(`/tabs/menu/my-work/engagement/${id('e1')}`));
    expect(api.inputs('offers.accept')).toEqual([
      { offerId: sampleOffer().id, version: 1, alsoFor: [], declines: [] },
    ]);
  });

  it('names other work that overlaps', async () => {
    openOffer(
      {},
      {
        'offers.accept': () => {
          throw refuse('engagement/overlap', {
            title: 'Late barista',
            startsAt: '2026-11-21T09:00:00Z',
            endsAt: '2026-11-21T15:00:00Z',
          });
        },
      },
    );
    await press('Accept for €108');
    await press('Accept and be booked');
    const alert = await screen.findByRole('alertdialog', { name: "The offer wasn't accepted" });
    expect(alert.textContent).toContain('Late barista');
  });

  it('that expired in the meantime shows the expiry and hides the buttons', async () => {
    const { api } = openOffer();
    await press('Accept for €108');
    api.on({
      'offers.accept': () => {
        throw refuse('offer/expired', { expiresAt: '2026-11-21T09:59:00Z' });
      },
      'offers.get': sampleOffer({ status: 'expired', actions: [], version: 2 }),
      'applications.get': sampleApplication({ status: 'viewed', actions: ['withdraw'] }),
    });
    await press('Accept and be booked');
    expect(await screen.findByRole('alertdialog', { name: "The offer wasn't accepted" })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept for €108' })).toBeNull());
  });

  it('is declined with an optional reason, which survives a failure', async () => {
    const { api } = openOffer(
      {},
      {
        'offers.decline': () => {
          throw networkError();
        },
      },
    );
    await press('Decline');
    const sheet = within(await screen.findByRole('dialog', { name: 'Decline this offer?' }));
    fireEvent.change(sheet.getByRole('textbox'), { target: { value: 'I found something closer' } });
    fireEvent.click(sheet.getByRole('button', { name: 'Decline offer' }));
    expect(await sheet.findByText(/reach|connection/i)).toBeTruthy();
    expect(sheet.getByRole<HTMLTextAreaElement>('textbox').value).toBe('I found something closer');
    api.on({ 'offers.decline': sampleOffer({ status: 'declined', actions: [] }) });
    fireEvent.click(sheet.getByRole('button', { name: 'Decline offer' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Decline this offer?' })).toBeNull());
    expect(api.inputs('offers.decline').at(-1)).toMatchObject({ reason: 'I found something closer' });
  });

  it('shows an error without a network', async () => {
    const { api } = openOffer(
      {},
      {
        'offers.get': () => {
          throw refuse('request/internal');
        },
      },
    );
    await press('Try again');
    api.on({ 'offers.get': sampleOffer() });
    await press('Try again');
    expect(await screen.findByRole('region', { name: 'The offer' })).toBeTruthy();
    setOnline(api, false);
    expect(await screen.findByRole('button', { name: 'Accept for €108' })).toBeTruthy();
  });
});

describe('the waitlist', () => {
  const full = sampleApplication({ actions: ['withdraw', 'join-waitlist'] });
  const waiting = sampleApplication({
    version: 2,
    actions: ['withdraw', 'leave-waitlist'],
    waitlist: { since: '2026-11-21T10:00:00Z', position: 3 },
  });

  it('can be joined, shows the position, and can be left', async () => {
    const { api } = open(full);
    api.on({ 'waitlist.join': waiting });
    const join = await screen.findByRole('button', { name: 'Join the waitlist' });
    api.on({ 'applications.get': waiting });
    fireEvent.click(join);
    expect(await screen.findByText("You're number 3 on the waitlist")).toBeTruthy();
    api.on({ 'waitlist.leave': full, 'applications.get': full });
    await press('Leave the waitlist');
    expect(await screen.findByText('You left the waitlist')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Join the waitlist' })).toBeTruthy();
  });

  it("shows why it couldn't be joined", async () => {
    open(full, {
      'waitlist.join': () => {
        throw networkError();
      },
    });
    await press('Join the waitlist');
    const card = await screen.findByRole('region', { name: 'Waitlist' });
    expect(await within(card).findByRole('alert')).toBeTruthy();
    expect(within(card).getByRole('button', { name: 'Join the waitlist' })).toBeTruthy();
  });

  it('is hidden unless the server offers it', async () => {
    open(sampleApplication());
    await screen.findByRole('button', { name: 'Withdraw' });
    expect(screen.queryByRole('region', { name: 'Waitlist' })).toBeNull();
  });
});
