import type { Business } from '@nearhand/contract/people/businesses';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Activity, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { press, setOnline } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { leila, sampleBusiness, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { enterSubmits, field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { storeDraft } from '../../lib/device/device-draft.ts';
import { phoneExample } from '../../lib/forms/phone.ts';
import { session } from '../../lib/session.ts';
import { ConfirmIdentityHost } from '../passkeys/confirm-identity.tsx';
import { type BusinessForm, emptyBusinessForm } from './business-form.rules.ts';
import { chooseBusiness, useCurrentBusiness } from './businesses.api.ts';
import EditBusinessScreen from './edit-business.screen.tsx';
import RegisterBusinessScreen from './register-business.screen.tsx';

/** West of 0° is Great Britain, east of it the Netherlands. */
vi.mock('../places/gazetteer-source.ts', () => ({
  countryOfPoint: async ({ lng }: { lng: number }) => (lng < 0 ? 'GB' : 'NL'),
  nameOfPoint: async () => 'Jordaan, Amsterdam',
}));

function Nameless() {
  useState(() => session.start({ user: { ...leila, name: '' }, accessToken: 'another' }));
  return <RegisterBusinessScreen />;
}

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>;
}
const address = () => screen.getByTestId('address').textContent;

const openRegister = (api: Handlers = {}) =>
  renderPart(
    <>
      <RegisterBusinessScreen />
      <Address />
    </>,
    {
      path: '/register-business',
      session: 'worker',
      api: { 'profiles.mine': sampleProfile(), 'businesses.register': sampleBusiness(), ...api },
    },
  );

/** Fills every required field but the pin, which is set on a map. */
function fill() {
  type('Name', 'Kopi & Crumb');
  type('Category', 'hospitality');
  type('Street and number', 'Westerstraat 112');
  type('Town or neighbourhood', 'Jordaan');
  type('Country', 'NL');
  type(/Legal name/, 'Kopi & Crumb B.V.');
}
/** Restores a draft with a pin, since a pin can't be set on a test's map. */
const keepForm = (part: Partial<BusinessForm> = {}) =>
  storeDraft('business', {
    ...emptyBusinessForm('leila@example.org', 'NL'),
    name: 'Kopi & Crumb',
    legalName: 'Kopi & Crumb B.V.',
    category: 'hospitality',
    address: 'Westerstraat 112',
    area: 'Jordaan',
    point: { lat: 52.378, lng: 4.883 },
    ...part,
  });
function openStored(api: Handlers = {}, part: Partial<BusinessForm> = {}) {
  const rendered = openRegister(api);
  keepForm(part);
  rendered.unmount();
  return openRegister(api);
}

describe('registering a business', () => {
  it('reports missing fields in page order with links', async () => {
    const { api } = openRegister();
    await press('Register business');
    const alert = await screen.findByRole('alert');
    const links = within(alert).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Enter the name people know the business by.',
      'Choose a category.',
      'Pin on the map: Put the pin on the entrance to get distances right.',
      'Enter the street and number.',
      'Enter the town or neighbourhood.',
      'Choose a country.',
      'Enter the registered legal name.',
    ]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    for (const link of links) {
      fireEvent.click(link);
      const reached = document.activeElement;
      expect(reached?.getAttribute('aria-describedby'), link.textContent ?? '').toBeTruthy();
      const note = document.getElementById(reached?.getAttribute('aria-describedby') ?? '');
      expect(link.textContent?.endsWith(note?.textContent ?? '?'), link.textContent ?? '').toBe(true);
    }
    expect(api.calls('businesses.register')).toHaveLength(0);
  });

  it.each([
    [
      'Phone',
      '06 1234',
      `This number is too short. Enter all of it with its country code, like ${phoneExample}.`,
    ],
    ['Phone', '12345678', `Check the number, or enter it with its country code, like ${phoneExample}.`],
    ['Email', 'not an address', 'Enter an address such as name@example.com.'],
    ['Website', 'javascript:alert(1)', 'Enter an address such as https://example.com.'],
  ])('rejects an odd %s', async (label, typed, problem) => {
    openRegister();
    fill();
    type(new RegExp(`^${label}`), typed);
    await press('Register business');
    await waitFor(() => expect(problemAt(new RegExp(`^${label}`))).toBe(problem));
    type(new RegExp(`^${label}`), '');
    expect(problemAt(new RegExp(`^${label}`))).toBeNull();
  });

  it('registers it once on repeated submits, and deletes the draft', async () => {
    const response = later<Business>();
    const { api } = openStored({ 'businesses.register': () => response.answer });
    expect(screen.getByText('We saved what you typed on this device.')).toBeTruthy();
    await pressTwice('Register business');
    await pressEnter('Name');
    await waitFor(() => expect(api.calls('businesses.register')).toHaveLength(1));
    await response.give(sampleBusiness());
    await waitFor(() => expect(address()).toBe('/my-business'));
    expect(api.calls('businesses.register')).toHaveLength(1);
    expect(api.inputs('businesses.register')[0]).toMatchObject({
      name: 'Kopi & Crumb',
      email: 'leila@example.org',
      phone: null,
      website: null,
      lat: 52.378,
    });
    expect(Object.keys(localStorage).filter((key) => key.endsWith(':business'))).toEqual([]);
    expect(screen.queryByText(/need.? your attention$/)).toBeNull();
  });

  it('asks for a name only if the account has none, and saves it first', async () => {
    const named = openStored();
    expect(screen.queryByLabelText(/^Your name/)).toBeNull();
    named.unmount();
    const { api } = renderPart(<Nameless />, {
      path: '/register-business',
      session: 'worker',
      api: {
        'profiles.mine': sampleProfile(),
        'profiles.save': sampleProfile(),
        'businesses.register': sampleBusiness(),
      },
    });
    type(/^Your name/, ' Leila Haddad ');
    await press('Register business');
    await waitFor(() => expect(api.calls('businesses.register')).toHaveLength(1));
    expect(api.inputs('profiles.save')).toEqual([{ name: 'Leila Haddad' }]);
  });

  it('resends a lost request under the same key, and a changed one under another', async () => {
    let losses = 2;
    const { api } = openStored({
      'businesses.register': () => {
        if (losses-- > 0) throw networkError();
        return sampleBusiness();
      },
    });
    await press('Register business');
    expect(await screen.findByText(/What you typed is saved on this device\.$/)).toBeTruthy();
    await press('Register business');
    await waitFor(() => expect(api.calls('businesses.register')).toHaveLength(2));
    await screen.findByText(/What you typed is saved on this device\.$/);
    type('Name', 'Kopi');
    await press('Register business');
    await waitFor(() => expect(address()).toBe('/my-business'));
    const [first, second, third] = api.calls('businesses.register').map((call) => call.idempotencyKey);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
  });

  it('takes country and currency from the pin, in any browser language', async () => {
    const { api } = openRegister();
    expect(field('Country').value).toBe('');
    Object.defineProperty(navigator, 'geolocation', {
      configurable: true,
      value: {
        getCurrentPosition: (onPosition: PositionCallback) =>
          onPosition({ coords: { latitude: 52.378, longitude: 4.883, accuracy: 10 } } as GeolocationPosition),
      },
    });
    await press('Use my location');
    await waitFor(() => expect(field('Country').value).toBe('NL'));
    expect(
      screen.getByText(/You pay in Euro \(EUR\)\. You can change it until your first job\./),
    ).toBeTruthy();
    type('Name', 'Kopi & Crumb');
    expect(field(/Legal name/).value).toBe('Kopi & Crumb');
    type(/Legal name/, 'Kopi B.V.');
    type('Name', 'Kopi');
    expect(field(/Legal name/).value).toBe('Kopi B.V.');
    type('Category', 'hospitality');
    type('Street and number', 'Westerstraat 112');
    await press('Register business');
    await waitFor(() => expect(api.inputs('businesses.register')[0]?.countryCode).toBe('NL'));
  });

  it('asks once about a country that contradicts the pin', async () => {
    let refusals = 1;
    const { api } = openStored(
      {
        'businesses.register': () => {
          if (refusals-- > 0) throw networkError();
          return sampleBusiness();
        },
      },
      { countryCode: 'GB' },
    );
    await press('Register business');
    const alert = await screen.findByRole('alertdialog', { name: 'Which country is the business in?' });
    expect(alert.textContent).toContain('The pin says Netherlands, the country field United Kingdom.');
    await press('Keep United Kingdom');
    await screen.findByText(/What you typed is saved on this device\.$/);
    await press('Register business');
    await waitFor(() => expect(api.calls('businesses.register')).toHaveLength(2));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(api.inputs('businesses.register')[1]?.countryCode).toBe('GB');
  });

  it("takes the pin's country on demand", async () => {
    const { api } = openStored({}, { countryCode: 'GB' });
    await press('Register business');
    await press('Use Netherlands');
    await waitFor(() => expect(api.inputs('businesses.register')[0]?.countryCode).toBe('NL'));
  });

  it('shows a rejection at its field, the rest above the form', async () => {
    openStored({
      'businesses.register': () => {
        throw refuse('request/invalid', {
          issues: [
            { path: 'website', message: 'Invalid URL', rule: 'web-address' },
            { path: 'lng', message: 'Too big', rule: 'too-large', limit: 180 },
          ],
        });
      },
    });
    await press('Register business');
    await waitFor(() => expect(problemAt(/^Website/)).toBe('Enter an address such as https://example.com.'));
    expect(screen.getAllByText(/Enter 180 or less\.$/)).toHaveLength(2);
    expect(field('Name').value).toBe('Kopi & Crumb');
    type(/^Website/, 'kopi.example');
    expect(problemAt(/^Website/)).toBeNull();
  });

  it('keeps the text over a reload and starts again on demand', async () => {
    openRegister();
    fill();
    cleanup();
    openRegister();
    expect(field('Name').value).toBe('Kopi & Crumb');
    expect(field('Category').value).toBe('hospitality');
    await press('Start again');
    expect(field('Name').value).toBe('');
    cleanup();
    openRegister();
    expect(field('Name').value).toBe('');
  });
});

const newest = sampleBusiness({ version: 7, description: 'Now with bread.', phone: '+31201234567' });
const openEdit = (own: Business, api: Handlers = {}) =>
  renderPart(<EditBusinessScreen />, {
    path: '/edit-business',
    session: 'business',
    api: {
      'profiles.mine': sampleProfile(),
      'businesses.closing': { openJobs: 0, jobs: [], bookedJobs: 0, money: [], credit: [] },
      'businesses.mine': [own],
      ...api,
    },
  });

function EditAfterLink({ mode, to }: { mode: 'visible' | 'hidden'; to: string }) {
  return (
    <>
      <Link to={to}>Roles of Kopi</Link>
      <Activity mode={mode}>
        <EditBusinessScreen />
      </Activity>
    </>
  );
}

describe('editing a business', () => {
  it('follows a link each time it is tapped, and no longer once another business is chosen', async () => {
    const own = sampleBusiness();
    const bakery = sampleBusiness({ id: '0193aaaa-0000-7000-8000-0000000000b9', name: 'Second Bakery' });
    const to = `/edit-business?part=roles&business=${own.id}`;
    const { rerender } = renderPart(<EditAfterLink mode="visible" to={to} />, {
      path: to,
      session: 'business',
      api: {
        'profiles.mine': sampleProfile(),
        'businesses.closing': { openJobs: 0, jobs: [], bookedJobs: 0, money: [], credit: [] },
        'businesses.mine': [own, bakery],
      },
    });
    await screen.findByRole('heading', { name: own.name });
    rerender(<EditAfterLink mode="hidden" to={to} />);
    act(() => chooseBusiness(bakery.id));
    rerender(<EditAfterLink mode="visible" to={to} />);
    await screen.findByRole('heading', { name: bakery.name });
    const part = (name: string) => screen.getByRole('radio', { name });
    for (const _ of [1, 2]) {
      fireEvent.click(part('Details'));
      await screen.findByLabelText('Name');
      fireEvent.click(screen.getByRole('link', { name: 'Roles of Kopi' }));
      await waitFor(() => expect(part('Roles').getAttribute('aria-checked')).toBe('true'));
      screen.getByRole('heading', { name: own.name });
    }
  });

  it("shows VIES's result for the saved VAT id only", async () => {
    const own = sampleBusiness({ vatId: 'NL861942735B01' });
    const answer = {
      state: 'valid' as const,
      checkedAt: '2026-11-21T15:00:00.000Z',
      registeredName: 'KOPI & CRUMB B.V.',
      consultationNumber: 'WAPIAAAAXk3',
    };
    openEdit(own, { 'businesses.vatIdCheck': answer });
    expect(await screen.findByText(/Valid according to VIES on/)).toBeDefined();
    expect(screen.getByText('KOPI & CRUMB B.V.')).toBeDefined();
    expect(screen.getByText('Consultation number: WAPIAAAAXk3')).toBeDefined();
    type(/^VAT ID/, 'NL123456782B90');
    expect(screen.queryByText(/VIES/)).toBeNull();
    cleanup();
    openEdit(own, { 'businesses.vatIdCheck': { ...answer, state: 'invalid', registeredName: '' } });
    expect(await screen.findByText(/Not valid according to VIES on/)).toBeDefined();
    cleanup();
    openEdit(own, { 'businesses.vatIdCheck': { ...answer, state: 'unknown', checkedAt: null } });
    expect(await screen.findByText(/checking this VAT ID/)).toBeDefined();
  });

  it('sends the changes and adopts the response', async () => {
    const { api } = openEdit(sampleBusiness(), {
      'businesses.update': sampleBusiness({ version: 2, phone: '+31201234567' }),
    });
    await screen.findByLabelText('Name');
    type(/^Phone/, '+31 (20) 123-4567');
    await press('Save changes');
    await screen.findByText('Changes saved');
    expect(api.inputs('businesses.update')).toEqual([
      { businessId: sampleBusiness().id, version: 1, phone: '+31201234567' },
    ]);
    expect(field(/^Phone/).value).toBe('+31201234567');
  });

  it("doesn't treat its own save as a conflict on a double submit", async () => {
    const saved = later<Business>();
    const { api } = openEdit(sampleBusiness(), { 'businesses.update': () => saved.answer });
    await screen.findByLabelText('Name');
    type('Name', 'Kopi');
    await pressEnter('Name');
    await pressEnter('Name');
    await saved.give(sampleBusiness({ version: 2, name: 'Kopi' }));
    await screen.findByText('Changes saved');
    expect(api.calls('businesses.update')).toHaveLength(1);
    expect(screen.queryByText(/Someone on your team/)).toBeNull();
  });

  it("merges a colleague's earlier save", async () => {
    let saved = sampleBusiness();
    const { api } = openEdit(sampleBusiness(), {
      'businesses.mine': () => [saved],
      'businesses.update': ({ version, ...changes }) => {
        if (version === 1) {
          saved = newest;
          throw refuse('business/stale', { version: 7 });
        }
        return { ...newest, version: 8, name: changes.name ?? newest.name };
      },
    });
    await screen.findByLabelText('Name');
    type('Name', 'Kopi');
    await press('Save changes');
    const banner = (await screen.findByText(/Someone on your team changed this business/)).closest(
      '[role="alert"]',
    );
    expect(banner?.textContent).toMatch(/They changed: .*description/i);
    expect(banner?.textContent).not.toMatch(/You both changed/);
    await press('Keep what I typed');
    expect(field('Name').value).toBe('Kopi');
    expect(field(/^Description/).value).toBe('Now with bread.');
    await press('Save changes');
    await screen.findByText('Changes saved');
    expect(api.inputs('businesses.update')[1]).toMatchObject({ version: 7, name: 'Kopi' });
    expect(api.inputs('businesses.update')[1]).not.toHaveProperty('description');
  });

  it('offline keeps the text and saves it later', async () => {
    const { api } = openEdit(sampleBusiness(), {
      'businesses.update': sampleBusiness({ version: 2, name: 'Kopi' }),
    });
    await screen.findByLabelText('Name');
    type('Name', 'Kopi');
    setOnline(api, false);
    await press('Save changes');
    expect(enterSubmits('Name')).toBe(false);
    expect(screen.getByRole('button', { name: 'Save changes' }).textContent).toContain('Needs a connection');
    expect(api.calls('businesses.update')).toHaveLength(0);
    setOnline(api, true);
    expect(enterSubmits('Name')).toBe(true);
    expect(field('Name').value).toBe('Kopi');
    await press('Save changes');
    await screen.findByText('Changes saved');
  });

  it('on a captive network shows an error, keeps the text and saves it later', async () => {
    const { api } = openEdit(sampleBusiness(), { 'businesses.update': () => Promise.reject(networkError()) });
    await screen.findByLabelText('Name');
    type('Name', 'Kopi');
    await press('Save changes');
    expect(await screen.findByText(/What you typed is still here\.$/)).toBeTruthy();
    expect(field('Name').value).toBe('Kopi');
    api.on({ 'businesses.update': sampleBusiness({ version: 2, name: 'Kopi' }) });
    await press('Save changes');
    await screen.findByText('Changes saved');
    expect(screen.queryByText(/What you typed is still here/)).toBeNull();
  });

  it('is a page to read without permission', async () => {
    openEdit(sampleBusiness({ role: 'finance', actions: [] }));
    await screen.findByText(/only an owner or manager can change it/);
    expect(screen.getByText('Legal name').nextElementSibling?.textContent).toBe('Kopi & Crumb B.V.');
    expect(screen.queryAllByRole('textbox')).toEqual([]);
    expect(screen.queryByRole('button', { name: /Save/ })).toBeNull();
  });
});

describe('closing a business', () => {
  it('requires an owner, and then closes it', async () => {
    let proved = false;
    const { api } = renderPart(
      <>
        <EditBusinessScreen />
        <ConfirmIdentityHost />
      </>,
      {
        path: '/edit-business',
        session: 'business',
        api: {
          'profiles.mine': sampleProfile(),
          'businesses.mine': [sampleBusiness({ role: 'owner', actions: ['edit', 'close'], openJobs: 0 })],
          'businesses.closing': {
            openJobs: 0,
            jobs: [],
            bookedJobs: 0,
            money: [],
            credit: [{ currency: 'EUR', amountMinor: 1_000 }],
          },
          'businesses.close': () => {
            if (!proved) throw refuse('session/password-required');
            return { ...sampleBusiness({ status: 'closed', actions: [] }), endedCredit: [] };
          },
          'POST /api/auth/verify-password': () => {
            proved = true;
            return new Response('{}', { headers: { 'content-type': 'application/json' } });
          },
          'signIn.secondStep': { on: false, hasPassword: true },
          'passkeys.list': [],
        },
      },
    );
    await screen.findByRole('button', { name: 'Close business' });
    const credit = "Credit for hires of €10 ends with the business and can't be paid out.";
    expect(await screen.findByText(credit)).toBeTruthy();
    await press('Close business');
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain(credit);
    fireEvent.click(within(question).getByRole('button', { name: 'Close business' }));
    await screen.findByRole('dialog', { name: "Confirm that it's you" });
    type('Password', 'secret-1');
    await press('Continue');
    expect(await screen.findByText(/is closed$/)).toBeTruthy();
    expect(api.calls('businesses.close')).toHaveLength(2);
  });

  it('shows which open jobs close with it, and closes them with one confirmation', async () => {
    const { api } = renderPart(<EditBusinessScreen />, {
      path: '/edit-business',
      session: 'business',
      api: {
        'profiles.mine': sampleProfile(),
        'businesses.mine': [sampleBusiness({ role: 'owner', actions: ['edit', 'close'], openJobs: 1 })],
        'businesses.closing': {
          openJobs: 1,
          jobs: [
            {
              id: '0193aaaa-0000-7000-8000-000000000001',
              title: 'Weekend barista',
              startsAt: '2026-12-05T08:00:00Z',
              timeZone: 'Europe/Amsterdam',
              currency: 'EUR',
              heldMinor: 0,
            },
          ],
          bookedJobs: 0,
          money: [],
          credit: [],
        },
        'businesses.close': { ...sampleBusiness({ status: 'closed', actions: [] }), endedCredit: [] },
      },
    });
    expect(await screen.findByRole('link', { name: /^Weekend barista, Sat.5.Dec/ })).toBeTruthy();
    await press('Close business');
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('1 open job closes with it, and its applicants are notified.');
    fireEvent.click(within(question).getByRole('button', { name: 'Close business' }));
    expect(await screen.findByText(/is closed$/)).toBeTruthy();
    expect(api.inputs('businesses.close')).toMatchObject([{ closeJobs: true }]);
  });

  it('does not tell the owner of a closed business that its owner can change it', async () => {
    const closed = sampleBusiness({ role: 'owner', status: 'closed', actions: [] });
    renderPart(<EditBusinessScreen />, {
      path: '/edit-business',
      session: 'business',
      api: { 'profiles.mine': sampleProfile(), 'businesses.mine': [closed] },
    });
    expect((await screen.findAllByText(/Westerstraat 112/)).length).toBeGreaterThan(0);
    expect(screen.queryByText(/only an owner or manager can change it/)).toBeNull();
  });

  it('closes an open job whose money is set aside, before the business', async () => {
    const job = {
      id: '0193aaaa-0000-7000-8000-000000000001',
      title: 'Weekend barista',
      startsAt: '2026-12-05T08:00:00Z',
      timeZone: 'Europe/Amsterdam',
      currency: 'EUR' as const,
      heldMinor: 7_480,
    };
    const money = {
      currency: 'EUR' as const,
      balanceMinor: 0,
      heldMinor: 7_480,
      onItsWayMinor: 0,
      owedMinor: 0,
    };
    const { api } = renderPart(<EditBusinessScreen />, {
      path: '/edit-business',
      session: 'business',
      api: {
        'profiles.mine': sampleProfile(),
        'businesses.mine': [sampleBusiness({ role: 'owner', actions: ['edit', 'close'], openJobs: 1 })],
        'businesses.closing': { openJobs: 1, jobs: [job], bookedJobs: 0, money: [money], credit: [] },
        'jobs.close': sampleJob({ status: 'closed' }),
      },
    });
    const link = await screen.findByRole('link', { name: /^Weekend barista/ });
    expect(link.closest('li')?.textContent).toContain('€74.80 is set aside for open spots of');
    expect(screen.queryByText(/booked work/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Close business' })).toBeNull();
    await press('Close job');
    fireEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Close job' }),
    );
    await waitFor(() => expect(api.inputs('jobs.close')).toMatchObject([{ jobId: job.id }]));
  });

  it('lists everything that keeps it open, with its amount and a link, before confirming', async () => {
    renderPart(<EditBusinessScreen />, {
      path: '/edit-business',
      session: 'business',
      api: {
        'profiles.mine': sampleProfile(),
        'businesses.mine': [sampleBusiness({ role: 'owner', actions: ['edit', 'close'], openJobs: 0 })],
        'businesses.closing': {
          openJobs: 2,
          jobs: [],
          bookedJobs: 1,
          money: [
            { currency: 'EUR', balanceMinor: 5_000, heldMinor: 12_000, onItsWayMinor: 3_000, owedMinor: 900 },
          ],
          credit: [{ currency: 'EUR', amountMinor: 700 }],
        },
      },
    });
    const link = await screen.findByRole('link', { name: 'Send money back' });
    expect(link.getAttribute('href')).toBe('/tabs/menu/business?refund=all');
    const card = link.closest('section');
    expect(card?.textContent).toContain('2 jobs are still running. Close them first.');
    expect(card?.textContent).toContain('€120 is set aside for booked work.');
    expect(card?.textContent).toContain("1 filled job isn't over.");
    expect(screen.getByRole('link', { name: 'View filled jobs' }).getAttribute('href')).toBe(
      '/listed-job?status=filled',
    );
    expect(card?.textContent).toContain('€30 is on its way from or to your cards');
    expect(screen.getByRole('link', { name: 'View payments' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'View your jobs' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'View booked work' })).toBeTruthy();
    expect(card?.textContent).toContain('There is still €50 in its balance. Refund it to your cards first.');
    expect(card?.textContent).toContain('€9 of your credit limit is still owed.');
    expect(card?.textContent).toContain('Credit for hires of €7 ends with the business');
    expect(screen.queryByRole('button', { name: 'Close business' })).toBeNull();
  });
});

function Current() {
  return <output>{useCurrentBusiness().business?.name}</output>;
}

it('the business of a tab stays when another tab chooses another one', async () => {
  const zoutman = sampleBusiness({ id: '0193aaaa-0000-7000-8000-0000000000b2', name: 'Zoutman Feesten' });
  const { rerender } = renderPart(<Current />, {
    session: 'worker',
    api: { 'businesses.mine': [sampleBusiness(), zoutman] },
  });
  expect(await screen.findByText(sampleBusiness().name)).toBeTruthy();
  localStorage.setItem(`nearhand-business:${session.user()?.id}`, zoutman.id);
  rerender(<Current />);
  expect(screen.getByText(sampleBusiness().name)).toBeTruthy();
  act(() => chooseBusiness(zoutman.id));
  expect(screen.getByText('Zoutman Feesten')).toBeTruthy();
});
