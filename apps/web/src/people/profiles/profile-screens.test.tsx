import type { Profile } from '@nearhand/contract/people/profiles';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions, setOnline } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { leila, sampleAccount, sampleProfile } from '../../../test/people.samples.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { session } from '../../lib/session.ts';
import CompleteSignupScreen from './complete-signup.screen.tsx';
import { EditProfile } from './edit-profile.tsx';
import ExpertiseScreen from './expertise.screen.tsx';
import FillProfileScreen from './fill-profile.screen.tsx';
import { readSteps } from './sign-up-steps.ts';

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
  it('keep chosen skills on the device, without an account too', async () => {
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

  it('stop without a name, by button and by Enter, and go on with one', async () => {
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
    await waitFor(() => expect(address()).toBe('/complete-signup?next=%2Fjob-desc%2F1'));
  });

  it('announce the problem again at the next try', async () => {
    show(<FillProfileScreen />, { path: '/fill-profile' });
    await press('Continue');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
    field(/^Phone/).focus();
    await press('Continue');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alert')));
  });

  it.each([
    [/^Phone/, '06 1234 5678', 'Enter the number with its country code, such as +31 6 12345678.'],
    [/^About you/, 'x'.repeat(1_001), 'Use at most 1,000 characters.'],
    ['Name', 'x'.repeat(81), 'Use at most 80 characters.'],
  ])('judge %s', async (label, typed, problem) => {
    show(<FillProfileScreen />, { path: '/fill-profile' });
    type('Name', 'Leila');
    type(label, typed);
    await press('Continue');
    await waitFor(() => expect(problemAt(label)).toBe(problem));
    expect(field(label).value).toBe(typed);
    expect(address()).toBe('/fill-profile');
  });

  it('keep what was typed over a reload and between the steps', async () => {
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
    expect(readSteps()?.form.skills).toHaveLength(1);
  });

  it('start from the profile that is saved already', async () => {
    show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: 'worker',
      api: { 'profiles.mine': sampleProfile() },
    });
    await waitFor(() => expect(field('Name').value).toBe('Leila Haddad'));
    type(/^About you/, 'New words.');
    expect(field('Name').value).toBe('Leila Haddad');
    expect(field(/^Phone/).value).toBe('+31612345678');
  });
});

describe('the last step', () => {
  const open = (options: RenderOptions & { path?: string }) =>
    show(<CompleteSignupScreen />, { path: '/complete-signup?next=%2Fjob-desc%2F1', ...options });
  const saving = (save: Handlers['profiles.save']): Handlers => ({
    'profiles.mine': sampleProfile(),
    'accounts.me': { ...sampleAccount(leila), intent: null },
    'accounts.update': sampleAccount(leila),
    ...(save ? { 'profiles.save': save } : {}),
  });

  it('asks what brings them here', async () => {
    open({});
    await press('Finish');
    expect(await screen.findByText('Choose what brings you here.')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /Find work/ }));
    expect(screen.queryByText('Choose what brings you here.')).toBeNull();
  });

  it('sends a guest to create an account, with the way back', async () => {
    open({});
    fireEvent.click(screen.getByRole('radio', { name: /Hire people/ }));
    await press('Finish');
    const link = await screen.findByRole('link', { name: 'Create account' });
    expect(link.getAttribute('href')).toBe('/register?next=%2Fjob-desc%2F1');
    expect(readSteps()?.intent).toBe('hire');
  });

  it('says that it was not saved, keeps everything, and saves at the next press', async () => {
    const first = show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: 'worker',
      api: saving(undefined),
    });
    await waitFor(() => expect(field('Name').value).toBe('Leila Haddad'));
    type(/^About you/, 'New words.');
    first.unmount();
    let failures = 1;
    const { api } = open({
      session: 'worker',
      api: saving(() => {
        if (failures-- > 0) throw refuse('request/internal');
        return sampleProfile({ bio: 'New words.' });
      }),
    });
    fireEvent.click(await screen.findByRole('radio', { name: /Find work/ }));
    await press('Finish');
    await screen.findByText('Not saved yet');
    await press('OK');
    expect(readSteps()?.form.bio).toBe('New words.');
    await press('Finish');
    await waitFor(() => expect(address()).toBe('/job-desc/1'));
    expect(api.inputs('profiles.save')).toEqual([{ bio: 'New words.' }, { bio: 'New words.' }]);
    expect(api.inputs('accounts.update')).toEqual([{ intent: 'work' }]);
    expect(readSteps()).toBeNull();
  });

  it('saves what the server takes of a draft with a broken field', async () => {
    const first = show(<FillProfileScreen />, {
      path: '/fill-profile',
      session: 'worker',
      api: saving(undefined),
    });
    await waitFor(() => expect(field('Name').value).toBe('Leila Haddad'));
    type(/^About you/, 'New words.');
    type(/^Phone/, '12');
    first.unmount();
    const { api } = open({ session: 'worker', api: saving(sampleProfile()) });
    fireEvent.click(await screen.findByRole('radio', { name: /Both/ }));
    await press('Finish');
    await waitFor(() => expect(api.inputs('profiles.save')).toEqual([{ bio: 'New words.' }]));
  });
});

describe('editing a profile', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const shown = renderPart(<EditProfile profile={sampleProfile()} onDone={onDone} />, {
      session: 'worker',
      api: { 'profiles.mine': sampleProfile(), ...api },
    });
    // The name of the session follows the profile.
    vi.spyOn(session, 'update');
    return { ...shown, onDone };
  };

  it('sends what changed with its version, once, and closes', async () => {
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

  it('shows at its field what the server refused', async () => {
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

  it('keeps what was typed without a network', async () => {
    const { api, onDone } = open({ 'profiles.save': sampleProfile({ version: 4, bio: 'New words.' }) });
    type(/^About you/, 'New words.');
    setOnline(api, false);
    await press('Save profile');
    expect(await screen.findByText(/What you typed is still here\.$/)).toBeTruthy();
    setOnline(api, true);
    expect(field(/^About you/).value).toBe('New words.');
    await press('Save profile');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('meets a save from another device and merges with it', async () => {
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
    expect(field(/^Phone/).value).toBe('+31611111111');
    await press('Save profile');
    await waitFor(() => expect(api.calls('profiles.save')).toHaveLength(2));
    expect(api.inputs('profiles.save')[1]).toEqual({ bio: 'Typed here.', version: 9 });
  });

  it('says at the file why it was not taken, and saves nothing', async () => {
    const { api, container } = open({
      'files.upload': () => {
        throw refuse('file/unreadable');
      },
    });
    const [photo] = [...container.querySelectorAll<HTMLInputElement>('input[type="file"]')];
    type(/^About you/, 'New words.');
    const file = new File(['x'], 'me.png', { type: 'image/png' });
    fireEvent.change(photo as HTMLInputElement, { target: { files: [file] } });
    await press('Save profile');
    await waitFor(() => expect(api.calls('files.upload')).toHaveLength(1));
    expect(api.calls('profiles.save')).toHaveLength(0);
    expect(field(/^About you/).value).toBe('New words.');
    expect(await screen.findByText(/read|open/i, { selector: '.help.err' })).toBeTruthy();
  });
});
