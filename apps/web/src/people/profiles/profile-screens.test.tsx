import type { Intent } from '@nearhand/contract/people/profile-choices';
import type { Profile } from '@nearhand/contract/people/profiles';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions, setOnline } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { leila, sampleAccount, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { enterSubmits, field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { session } from '../../lib/session.ts';
import { rememberPlace } from '../places/here.ts';
import CompleteSignupScreen from './complete-signup.screen.tsx';
import ExpertiseScreen from './expertise.screen.tsx';
import FillProfileScreen from './fill-profile.screen.tsx';
import { EditProfile, MyProfile } from './my-profile.tsx';
import { OwnDetails } from './own-details.tsx';
import { emptyProfile } from './profile-form.rules.ts';
import {
  readStepFile,
  readSteps,
  saveSteps,
  saveStepsWhenSignedIn,
  storeStepFile,
  storeSteps,
} from './sign-up-steps.ts';

const countryOfPoint = vi.hoisted(() => vi.fn());
vi.mock('../places/gazetteer-source.ts', () => ({ countryOfPoint }));

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}
const address = () => screen.getByTestId('address').textContent;
const show = (part: React.ReactNode, options: RenderOptions & { path?: string }) =>
  renderPart(
    <>
      {part}
      <Address />
    </>,
    options,
  );

describe('the steps of sign-up', () => {
  it('keep selected skills on the device, even without an account', async () => {
    show(<ExpertiseScreen />, { path: '/expertise' });
    type('Search skills', 'barista');
    fireEvent.click(await screen.findByRole('button', { name: 'Barista' }));
    expect(screen.getByRole('link', { name: 'Continue with 1' }).getAttribute('href')).toBe('/fill-profile');
    cleanup();
    show(<ExpertiseScreen />, { path: '/expertise?next=%2Fjob-desc%2F1' });
    expect(screen.getByRole('link', { name: 'Continue with 1' }).getAttribute('href')).toBe(
      '/fill-profile?next=%2Fjob-desc%2F1',
    );
  });

  it('require a name, by button and by Enter, and continue with one', async () => {
    show(<FillProfileScreen />, { path: '/fill-profile?next=%2Fjob-desc%2F1' });
    await press('Continue');
    await waitFor(() => expect(problemAt('Name')).toBe('Enter your name.'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    fireEvent.click(within(screen.getByRole('alert')).getByRole('link'));
    expect(document.activeElement).toBe(field('Name'));
    type('Name', 'Leila');
    expect(problemAt('Name')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    await pressEnter('Name');
    await waitFor(() => expect(address()).toBe('/register?next=%2Fjob-desc%2F1'));
  });

  it.each([
    ['needs the network for what the account gets', 'worker', true],
    ['keeps what a guest typed without one', 'signedOut', false],
  ] as const)('the last one %s', async (_, who, needsNetwork) => {
    const { api } = show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: who,
      api: who === 'worker' ? accountServer() : {},
    });
    await screen.findByRole('button', { name: 'Continue' });
    type('Name', 'Leila');
    setOnline(api, false);
    const go = screen.getByRole('button', { name: 'Continue' });
    expect(within(go).queryByText('Needs a connection') !== null).toBe(needsNetwork);
    await pressEnter('Name');
    fireEvent.click(go);
    await waitFor(() => expect(address()).toBe(needsNetwork ? '/fill-profile' : '/register'));
    expect(screen.getByRole('link', { name: 'Skip' })).toBeTruthy();
  });

  it('announce the problem again on the next attempt', async () => {
    show(<FillProfileScreen />, { path: '/fill-profile' });
    await press('Continue');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    field(/^Phone/).focus();
    await press('Continue');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
  });

  it.each([
    [
      /^Phone/,
      '06 1234 5678',
      'Check the number, or enter it with its country code, like +31\u00a06\u00a012345678.',
    ],
    [/^About you/, 'x'.repeat(1_001), 'Use 1000 characters or fewer.'],
    ['Name', 'x'.repeat(81), 'Use 80 characters or fewer.'],
  ])('judge %s', async (label, typed, problem) => {
    show(<FillProfileScreen />, { path: '/fill-profile' });
    type('Name', 'Leila');
    type(label, typed);
    await press('Continue');
    await waitFor(() => expect(problemAt(label)).toBe(problem));
    expect(field(label).value).toBe(typed);
    expect(address()).toBe('/fill-profile');
  });

  it('complete a number as dialled at home before the button that is pressed next', async () => {
    countryOfPoint.mockResolvedValue('NL');
    show(<FillProfileScreen />, { path: '/fill-profile' });
    type('Name', 'Leila');
    fireEvent.focus(field(/^Phone/));
    await waitFor(() => expect(countryOfPoint).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 50));
    type(/^Phone/, '06 1234 5678');
    const go = screen.getByRole('button', { name: 'Continue' });
    fireEvent.mouseDown(go);
    fireEvent.blur(field(/^Phone/));
    fireEvent.mouseUp(go);
    fireEvent.click(go);
    await waitFor(() => expect(address()).toBe('/register'));
    expect(readSteps()?.form.phone).toBe('+31612345678');
    countryOfPoint.mockReset();
  });

  it.each(['blur', 'Enter'])('complete a number as dialled at home, on %s', async (by) => {
    countryOfPoint.mockResolvedValue('NL');
    show(<FillProfileScreen />, { path: '/fill-profile' });
    type('Name', 'Leila');
    fireEvent.focus(field(/^Phone/));
    await waitFor(() => expect(countryOfPoint).toHaveBeenCalled());
    type(/^Phone/, '06 1234 5678');
    if (by === 'blur') fireEvent.blur(field(/^Phone/));
    else {
      await new Promise((resolve) => setTimeout(resolve, 50));
      fireEvent.keyDown(field(/^Phone/), { key: 'Enter' });
    }
    await waitFor(() => expect(readSteps()?.form.phone).toBe('+31612345678'));
    await press('Continue');
    await waitFor(() => expect(address()).toBe('/register'));
    countryOfPoint.mockReset();
  });

  it.each([
    [
      'their home',
      { phone: null, home: { label: 'Gent', lat: 51.05, lng: 3.72 } },
      '0470 12 34 56',
      '+32 470 12 34 56',
    ],
    ['their saved number', { phone: '+32470123455' }, '0470 12 34 56', '+32 470 12 34 56'],
    ['the place of their search', { phone: null }, '06 1234 5678', '+31 6 12345678'],
  ])('read a national number by the country of %s', async (_, change, typed, number) => {
    countryOfPoint.mockImplementation(async ({ lat }: { lat: number }) => (lat === 51.05 ? 'BE' : 'NL'));
    rememberPlace({ label: 'Breda', lat: 51.58, lng: 4.77, source: 'chosen' });
    renderPart(<OwnDetails />, {
      session: 'worker',
      api: {
        'profiles.mine': sampleProfile(change),
        'verification.overview': {
          accountId: leila.id,
          email: { address: leila.email, checked: true },
          phone: { available: false, status: 'none', number: null, checkedAt: null, code: null },
          payout: { status: 'none', reason: null, decidedAt: null },
        },
      },
    });
    await waitFor(() => expect(field(/^Phone/)).toBeTruthy());
    fireEvent.focus(field(/^Phone/));
    type(/^Phone/, typed);
    fireEvent.blur(field(/^Phone/));
    await waitFor(() => expect(field(/^Phone/).value).toBe(number));
    rememberPlace(null);
    countryOfPoint.mockReset();
  });

  it('keep the text over a reload and between the steps', async () => {
    show(<ExpertiseScreen />, { path: '/expertise' });
    type('Search skills', 'barista');
    fireEvent.click(await screen.findByRole('button', { name: 'Barista' }));
    cleanup();
    show(<FillProfileScreen />, { path: '/fill-profile' });
    type('Name', 'Leila');
    type(/^Phone/, '+31 6 12');
    cleanup();
    show(<FillProfileScreen />, { path: '/fill-profile' });
    expect(field('Name').value).toBe('Leila');
    expect(field(/^Phone/).value).toBe('+31 6 12');
    expect(readSteps()?.form.skills).toEqual([{ skill: 'barista', level: null, years: null }]);
  });

  it('start from the saved profile', async () => {
    show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: 'worker',
      api: { 'profiles.mine': sampleProfile() },
    });
    await waitFor(() => expect(field('Name').value).toBe('Leila Haddad'));
    type(/^About you/, 'New words.');
    expect(field('Name').value).toBe('Leila Haddad');
    await waitFor(() => expect(field(/^Phone/).value).toBe('+31 6 12345678'));
  });
});

function accountServer(): Handlers {
  let profile = sampleProfile({ name: '', phone: null, bio: '', skills: [] });
  let account = { ...sampleAccount({ ...leila, name: '' }), intent: null as Intent | null };
  return {
    'POST /api/auth/access-token': () => new Response('{}', { status: 503 }),
    'profiles.mine': () => profile,
    'accounts.me': () => account,
    'profiles.save': ({ name, bio, skills }) => {
      profile = { ...profile, ...(name && { name }), ...(bio && { bio }), ...(skills && { skills }) };
      return profile;
    },
    'accounts.update': ({ intent }) => {
      account = { ...account, ...(intent && { intent }) };
      return account;
    },
  };
}

describe('the first step', () => {
  const open = (options: RenderOptions & { path?: string }) =>
    show(<CompleteSignupScreen />, { path: '/complete-signup?next=%2Fjob-desc%2F1', ...options });

  it('leads employers straight to their business, and everyone else to their skills', async () => {
    for (const [choice, path] of [
      [/Hire people/, '/register-business'],
      [/Find work/, '/expertise?next=%2Fjob-desc%2F1'],
      [/Both/, '/expertise?next=%2Fjob-desc%2F1'],
    ] as const) {
      const { unmount } = open({ session: 'unverified', api: accountServer() });
      fireEvent.click(await screen.findByRole('button', { name: choice }));
      await waitFor(() => expect(address()).toBe(path));
      unmount();
    }
  });

  it('is not asked of users who signed up to apply', async () => {
    const next = encodeURIComponent('/job-apply-form/1');
    const { api } = open({
      session: 'unverified',
      path: `/complete-signup?next=${next}`,
      api: accountServer(),
    });
    await waitFor(() => expect(address()).toBe(`/expertise?next=${next}`));
    await waitFor(() => expect(api.inputs('accounts.update')).toEqual([{ intent: 'work' }]));
    cleanup();
    show(<ExpertiseScreen />, {
      path: `/expertise?next=${next}`,
      session: 'unverified',
      api: accountServer(),
    });
    expect(await screen.findByText(/^Verify your email, and then proceed to log in/)).toBeTruthy();
  });

  it('is answered already for someone who began on the side for hiring', async () => {
    const next = encodeURIComponent('/tabs/menu/business');
    const { api } = open({
      session: 'unverified',
      path: `/complete-signup?next=${next}`,
      api: accountServer(),
    });
    await waitFor(() => expect(address()).toBe('/register-business'));
    await waitFor(() => expect(api.inputs('accounts.update')).toEqual([{ intent: 'hire' }]));
  });

  it('is skipped for users invited to a team', async () => {
    const path = `/join-team/${'x'.repeat(43)}`;
    open({
      session: 'unverified',
      path: `/complete-signup?next=${encodeURIComponent(path)}`,
      api: accountServer(),
    });
    await waitFor(() => expect(address()).toBe(path));
  });

  it('keeps the choice with the account before the email is verified, and shows the notice', async () => {
    const { api } = open({ session: 'unverified', api: accountServer() });
    expect(
      await screen.findByText(
        'Verify your email, and then proceed to log in. Check your inbox for a verification email.',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Wrong address?' }).getAttribute('href')).toBe(
      '/getting-started?next=%2Fcomplete-signup%3Fnext%3D%252Fjob-desc%252F1',
    );
    await press(/Find work/);
    await waitFor(() => expect(api.inputs('accounts.update')).toEqual([{ intent: 'work' }]));
    await waitFor(() => expect(readSteps()).toBeNull());
  });

  it.each([
    ['signedOut', '/register?next=%2Fjob-desc%2F1'],
    ['unverified', '/getting-started?next=%2Fjob-desc%2F1'],
    ['worker', '/job-desc/1'],
  ] as const)('can be skipped, with the way on (%s)', async (session, path) => {
    for (const screenOf of [
      <CompleteSignupScreen key="1" />,
      <ExpertiseScreen key="2" />,
      <FillProfileScreen key="3" />,
    ]) {
      const { unmount } = show(screenOf, {
        path: '/complete-signup?next=%2Fjob-desc%2F1',
        session,
        api: session === 'signedOut' ? {} : accountServer(),
      });
      const skip = await screen.findByRole('link', { name: 'Skip' });
      expect(skip.getAttribute('href')).toBe(path);
      unmount();
    }
  });
});

describe('a part of the profile that an application lacks', () => {
  it('is added in the form that the link opens, which leads back', async () => {
    show(<MyProfile below={null} />, {
      path: '/myprofile?edit=1&next=%2Fjob-applied-success%2F1',
      session: 'worker',
      api: { 'profiles.mine': sampleProfile() },
    });
    await press('Cancel');
    await waitFor(() => expect(address()).toBe('/job-applied-success/1'));
  });
});

describe('a profile written before the email is verified', () => {
  it('is saved with the account: another browser has name and skills', async () => {
    const server = accountServer();
    const phone = show(<ExpertiseScreen />, { path: '/expertise', session: 'unverified', api: server });
    type('Search skills', 'barista');
    fireEvent.click(await screen.findByRole('button', { name: 'Barista' }));
    fireEvent.click(await screen.findByRole('link', { name: 'Continue with 1' }));
    await waitFor(() => expect(phone.api.calls('profiles.save')).toHaveLength(1));
    phone.unmount();
    const second = show(<FillProfileScreen />, { path: '/fill-profile', session: 'unverified', api: server });
    type('Name', 'Leila');
    await press('Continue');
    await waitFor(() => expect(address()).toBe('/getting-started'));
    expect(second.api.inputs('profiles.save')).toEqual([{ name: 'Leila' }]);
    expect(readSteps()).toBeNull();
    second.unmount();

    localStorage.clear();
    show(<FillProfileScreen />, { path: '/fill-profile', session: 'worker', api: server });
    await waitFor(() => expect(field('Name').value).toBe('Leila'));
    cleanup();
    show(<ExpertiseScreen />, { path: '/expertise', session: 'worker', api: server });
    expect(await screen.findByRole('link', { name: 'Continue with 1' })).toBeTruthy();
  });

  it('shows an error, keeps everything, and saves at the next press', async () => {
    let failures = 1;
    const server = accountServer();
    const save = server['profiles.save'];
    const { api } = show(<FillProfileScreen />, {
      path: '/fill-profile?next=%2Fjob-desc%2F1',
      session: 'worker',
      api: {
        ...server,
        'profiles.save': (input, call) => {
          if (failures-- > 0) throw refuse('request/internal');
          return typeof save === 'function' ? save(input, call) : sampleProfile();
        },
      },
    });
    type('Name', 'Leila');
    type(/^About you/, 'New words.');
    await press('Continue');
    await screen.findByText('Not saved yet');
    await press('OK');
    expect(readSteps()?.form.bio).toBe('New words.');
    await press('Continue');
    await waitFor(() => expect(address()).toBe('/job-desc/1'));
    expect(api.inputs('profiles.save')[1]).toEqual({ name: 'Leila', bio: 'New words.' });
    expect(readSteps()).toBeNull();
  });

  it('saves what the server accepts of a draft with an invalid field', async () => {
    const { api } = show(<ExpertiseScreen />, {
      path: '/expertise',
      session: 'worker',
      api: accountServer(),
    });
    await screen.findByRole('link', { name: 'Continue' });
    const form = { ...emptyProfile(), bio: 'New words.', phone: '12' };
    storeSteps({ form, intent: null, base: emptyProfile() });
    fireEvent.click(screen.getByRole('link', { name: 'Skip' }));
    await waitFor(() => expect(api.inputs('profiles.save')).toEqual([{ bio: 'New words.' }]));
  });

  it('keeps text typed during a save', async () => {
    const saved = later<Profile>();
    const { api } = show(<ExpertiseScreen />, {
      path: '/expertise',
      session: 'unverified',
      api: { ...accountServer(), 'profiles.save': () => saved.answer },
    });
    await screen.findByRole('link', { name: 'Continue' });
    const typed = (name: string) =>
      storeSteps({ form: { ...emptyProfile(), name }, intent: null, base: emptyProfile() });
    typed('Lei');
    const first = saveSteps();
    await waitFor(() => expect(api.calls('profiles.save')).toHaveLength(1));
    typed('Leila');
    const second = saveSteps();
    await saved.give(sampleProfile());
    await Promise.all([first, second]);
    expect(api.inputs('profiles.save')).toEqual([{ name: 'Lei' }, { name: 'Leila' }]);
  });
});

describe('editing a profile', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const rendered = renderPart(<EditProfile profile={sampleProfile()} onDone={onDone} />, {
      session: 'worker',
      api: { 'profiles.mine': sampleProfile(), ...api },
    });
    vi.spyOn(session, 'update');
    return { ...rendered, onDone };
  };

  it('sends the changes with its version, once, and closes', async () => {
    const saved = later<Profile>();
    const { api, onDone } = open({ 'profiles.save': () => saved.answer });
    type(/^Phone/, '+31 6 99 99 99 99');
    await pressTwice('Save profile');
    await pressEnter('Name');
    await saved.give(sampleProfile({ version: 4, phone: '+31699999999' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('profiles.save')).toEqual([{ phone: '+31699999999', version: 3 }]);
  });

  it('closes without a call when nothing changed', async () => {
    const { api, onDone } = open();
    await press('Save profile');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.calls('profiles.save')).toHaveLength(0);
  });

  it('shows a server rejection at its field', async () => {
    const { onDone } = open({
      'profiles.save': () => {
        throw refuse('request/invalid', { issues: [{ path: 'phone', message: 'unknown' }] });
      },
    });
    type(/^Phone/, '+31 6 99 99 99 99');
    await press('Save profile');
    await waitFor(() => expect(problemAt(/^Phone/)).toBeTruthy());
    expect(field(/^Phone/).value).toBe('+31 6 99 99 99 99');
    type(/^Phone/, '+31 6 88 88 88 88');
    expect(problemAt(/^Phone/)).toBeNull();
    expect(onDone).not.toHaveBeenCalled();
  });

  it('keeps the text without a network', async () => {
    const { api, onDone } = open({ 'profiles.save': sampleProfile({ version: 4, bio: 'New words.' }) });
    type(/^About you/, 'New words.');
    setOnline(api, false);
    await press('Save profile');
    expect(enterSubmits('Name')).toBe(false);
    expect(screen.getByRole('button', { name: 'Save profile' }).textContent).toContain('Needs a connection');
    expect(api.calls('profiles.save')).toHaveLength(0);
    setOnline(api, true);
    expect(enterSubmits('Name')).toBe(true);
    expect(field(/^About you/).value).toBe('New words.');
    await press('Save profile');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('shows an error on a captive network, and keeps the text', async () => {
    const { api, onDone } = open({ 'profiles.save': () => Promise.reject(networkError()) });
    type(/^About you/, 'New words.');
    await press('Save profile');
    expect(await screen.findByText(/What you typed is still here\.$/)).toBeTruthy();
    expect(field(/^About you/).value).toBe('New words.');
    api.on({ 'profiles.save': sampleProfile({ version: 4, bio: 'New words.' }) });
    await press('Save profile');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('merges with a save from another device', async () => {
    const newest = sampleProfile({ version: 9, phone: '+31611111111', bio: 'From my phone.' });
    const { api } = open({
      'profiles.mine': newest,
      'profiles.save': ({ version }) => {
        if (version === 3) throw refuse('profile/stale', { version: 9 });
        return { ...newest, version: 10 };
      },
    });
    type(/^About you/, 'Typed here.');
    await press('Save profile');
    const banner = (await screen.findByText(/changed somewhere else/)).closest('.banner');
    expect(banner?.textContent).toContain('Phone');
    expect(banner?.textContent).toContain('About you');
    await press('Keep what I typed');
    expect(field(/^About you/).value).toBe('Typed here.');
    await waitFor(() => expect(field(/^Phone/).value).toBe('+31 6 11111111'));
    await press('Save profile');
    await waitFor(() => expect(api.calls('profiles.save')).toHaveLength(2));
    expect(api.inputs('profiles.save')[1]).toEqual({ bio: 'Typed here.', version: 9 });
  });

  it("rejects a picture that doesn't open when it is chosen", async () => {
    vi.stubGlobal('createImageBitmap', vi.fn().mockRejectedValue(new DOMException('broken')));
    const { api, container } = open();
    const [photo] = [...container.querySelectorAll<HTMLInputElement>('input[type="file"]')];
    const file = new File(['x'], 'me.png', { type: 'image/png' });
    fireEvent.change(photo as HTMLInputElement, { target: { files: [file] } });
    expect(await screen.findByText(/^This picture can't be opened/, { selector: '.help.err' })).toBeTruthy();
    vi.unstubAllGlobals();
    expect(api.calls('files.upload')).toHaveLength(0);
  });

  it('shows at the file why it was rejected, and saves nothing', async () => {
    vi.stubGlobal('createImageBitmap', vi.fn().mockResolvedValue({ close: vi.fn() }));
    const { api, container } = open({
      'files.upload': () => {
        throw refuse('file/unreadable');
      },
    });
    const [photo] = [...container.querySelectorAll<HTMLInputElement>('input[type="file"]')];
    type(/^About you/, 'New words.');
    const file = new File(['x'], 'me.png', { type: 'image/png' });
    fireEvent.change(photo as HTMLInputElement, { target: { files: [file] } });
    await screen.findByRole('button', { name: 'Change photo' });
    vi.unstubAllGlobals();
    await press('Save profile');
    await waitFor(() => expect(api.calls('files.upload')).toHaveLength(1));
    expect(api.calls('profiles.save')).toHaveLength(0);
    expect(field(/^About you/).value).toBe('New words.');
    expect(await screen.findByText(/read|open/i, { selector: '.help.err' })).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    fireEvent.click(within(screen.getByRole('alert')).getByRole('link', { name: /^Photo: / }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change photo' }));
  });

  it('asks for the level of an added language', async () => {
    const { api } = open({ 'profiles.save': sampleProfile({ version: 4 }) });
    fireEvent.change(screen.getByLabelText('Add a language'), { target: { value: 'uk' } });
    await press('Save profile');
    expect(
      await screen.findByText('Choose how well you speak Ukrainian.', { selector: '.help.err' }),
    ).toBeTruthy();
    expect(api.calls('profiles.save')).toHaveLength(0);
    fireEvent.change(screen.getByLabelText('How well you speak Ukrainian'), { target: { value: 'good' } });
    await press('Save profile');
    await waitFor(() =>
      expect(api.inputs('profiles.save')).toMatchObject([
        { languages: expect.arrayContaining([{ code: 'uk', level: 'good' }]) },
      ]),
    );
  });
});

describe('files that a guest chooses', () => {
  const cv = () => new File(['%PDF-1.7 1 0 obj %%EOF'], 'leila.pdf', { type: 'application/pdf' });
  const chooseCv = (container: HTMLElement) => {
    const field = [...container.querySelectorAll<HTMLInputElement>('input[type="file"]')].at(-1);
    fireEvent.change(field as HTMLInputElement, { target: { files: [cv()] } });
  };

  it("show an error if the device can't store them", async () => {
    const { container } = show(<FillProfileScreen />, { path: '/fill-profile', session: 'signedOut' });
    vi.stubGlobal('structuredClone', () => {
      throw new Error('blocked');
    });
    chooseCv(container);
    expect(
      await screen.findByText(/^This device can’t store the file/, { selector: '.help.err' }),
    ).toBeTruthy();
    vi.unstubAllGlobals();
    expect(screen.queryByText('leila.pdf')).toBeNull();
  });

  it('are named if the server refuses them after all', async () => {
    renderPart(null, {
      session: 'worker',
      api: {
        ...accountServer(),
        'files.upload': () => {
          throw refuse('file/unreadable');
        },
      },
    });
    // A cloned file isn't a `File` in the tests' browser.
    vi.stubGlobal('structuredClone', (file: File) => file);
    await storeStepFile('cv', cv());
    await storeStepFile('photo', new File(['picture'], 'leila.png', { type: 'image/png' }));
    await saveSteps();
    vi.unstubAllGlobals();
    for (const file of ['photo', 'CV']) {
      expect(await screen.findByRole('alertdialog', { name: `We couldn't save your ${file}` })).toBeTruthy();
      await press('OK');
    }
    expect(await readStepFile('cv')).toBeNull();
  });

  it('are added to the new account, even without any text', async () => {
    const { container } = show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: 'signedOut',
      api: accountServer(),
    });
    chooseCv(container);
    expect(await screen.findByText('leila.pdf')).toBeTruthy();
    saveStepsWhenSignedIn();
    session.start({ user: { ...leila, emailVerified: false }, accessToken: 'token' });
    await waitFor(async () => expect((await readStepFile('cv'))?.name).toBe('leila.pdf'));
  });
});
