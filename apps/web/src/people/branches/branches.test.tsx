import type { Branch } from '@nearhand/contract/people/branches';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import EditBusinessScreen from '../businesses/edit-business.screen.tsx';

const sampleBranch = (change: Partial<Branch> = {}): Branch => ({
  id: '0193aaaa-0000-7000-8000-0000000000d1',
  version: 3,
  name: 'Noord',
  address: 'NDSM-Plein 8',
  area: 'Amsterdam',
  lat: 52.4,
  lng: 4.89,
  privateAddress: false,
  timeZone: 'Europe/Amsterdam',
  contactName: 'Joris',
  contactPhone: '+31201234567',
  openingNotes: 'Side door.',
  giveaways: 'approval',
  closed: false,
  openJobs: 2,
  actions: ['edit', 'close'],
  ...change,
});
const west = sampleBranch({
  id: '0193aaaa-0000-7000-8000-0000000000d2',
  name: 'West',
  closed: true,
  openJobs: 0,
  actions: ['edit', 'reopen', 'delete'],
});

const open = (api: Handlers = {}) =>
  renderPart(<EditBusinessScreen />, {
    path: '/edit-business?part=branches',
    session: 'business',
    api: {
      'profiles.mine': sampleProfile(),
      'businesses.mine': [sampleBusiness()],
      'branches.list': { branches: [sampleBranch(), west], canCreate: true },
      ...api,
    },
  });
const opened = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const sheet = () => within(screen.getByRole('dialog'));

describe('the branches of a business', () => {
  it('shows each with its address, its jobs and whether it is closed', async () => {
    open();
    expect(await screen.findByText('Noord')).toBeTruthy();
    expect(screen.getByText(/NDSM-Plein 8 · Amsterdam · 2 open jobs/)).toBeTruthy();
    expect(screen.getByText('Closed')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add a branch' })).toBeTruthy();
  });

  it('explains branches when there are none, and who adds them', async () => {
    const { unmount } = open({ 'branches.list': { branches: [], canCreate: true } });
    expect(await screen.findByText('No branches yet')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add a branch' })).toBeTruthy();
    unmount();
    open({ 'branches.list': { branches: [], canCreate: false } });
    expect(await screen.findByText(/An owner or manager can add them/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a branch' })).toBeNull();
  });

  it('is read-only without permission', async () => {
    open({ 'branches.list': { branches: [sampleBranch({ actions: [] })], canCreate: false } });
    expect(await screen.findByText('Noord')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Noord/ })).toBeNull();
  });

  it('shows what failed and reloads', async () => {
    open({
      'branches.list': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load the branches")).toBeTruthy();
  });

  it('saves an edit with its version, and shows a taken name at its field', async () => {
    let refused = true;
    const { api } = open({
      'branches.update': (input) => {
        if (refused) throw refuse('branch/name-taken');
        return sampleBranch({ name: input.name ?? '', version: 4 });
      },
    });
    await opened(/Noord/);
    type('Name', 'West');
    fireEvent.click(sheet().getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(problemAt('Name')).toBe('Another branch has this name.'));
    refused = false;
    type('Name', 'North');
    fireEvent.click(sheet().getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.inputs('branches.update').at(-1)).toMatchObject({
      version: 3,
      name: 'North',
      contactPhone: '+31201234567',
      openingNotes: 'Side door.',
    });
  });

  it("shows a branch's time zone, and sends the selected one", async () => {
    const { api } = open({ 'branches.update': sampleBranch({ version: 4 }) });
    await opened(/Noord/);
    const zone = sheet().getByLabelText('Time zone') as HTMLSelectElement;
    expect(zone.value).toBe('Europe/Amsterdam');
    fireEvent.change(zone, { target: { value: 'Europe/Lisbon' } });
    fireEvent.click(sheet().getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.inputs('branches.update').at(-1)).toMatchObject({ timeZone: 'Europe/Lisbon' });
  });

  it('asks for missing fields before sending', async () => {
    const { api } = open();
    await opened('Add a branch');
    fireEvent.click(sheet().getByRole('button', { name: 'Add branch' }));
    await waitFor(() => expect(problemAt('Name')).toBe('Enter a name.'));
    expect(problemAt('Street and number')).toBe('Enter the street and number.');
    type(/^Phone/, '12');
    expect(problemAt(/^Phone/)).toMatch(/country code/);
    expect(api.calls('branches.create')).toEqual([]);
  });

  it('confirms before closing, and reopens and deletes unused ones', async () => {
    const { api } = open({
      'branches.close': sampleBranch({ closed: true }),
      'branches.reopen': sampleBranch(),
    });
    await opened(/Noord/);
    fireEvent.click(sheet().getByRole('button', { name: 'Close branch' }));
    expect(await screen.findByText('Close Noord?')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Close branch' }).at(-1) as HTMLElement);
    expect(await screen.findByText('Noord is closed')).toBeTruthy();
    expect(api.calls('branches.close')).toHaveLength(1);
    await opened(/West/);
    expect(sheet().getByRole('button', { name: 'Delete branch' })).toBeTruthy();
    fireEvent.click(sheet().getByRole('button', { name: 'Reopen branch' }));
    expect(await screen.findByText('West is open again')).toBeTruthy();
  });
});
