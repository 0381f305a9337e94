import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { api as client } from '../src/lib/api/api.ts';
import { session } from '../src/lib/session.ts';
import { showToast } from '../src/ui/overlays/toast.tsx';
import { setOnline, signal } from './device.ts';
import { FakeApi, networkError, never, refuse } from './fake-api.ts';
import { leila } from './people.fixtures.ts';
import { address, goBack, renderApp } from './render-app.tsx';
import { renderPart } from './render-part.tsx';

const jobId = '0193aaaa-0000-7000-8000-000000000001';

describe('renderApp', () => {
  it('shows what a guest can see, and asks them to sign in for the rest', async () => {
    renderApp('/tabs/menu/account');
    expect(await screen.findByRole('heading', { name: 'Your account' })).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'Log in' }));
    expect(await screen.findByRole('textbox', { name: 'Email' })).toBeTruthy();
    expect(address()).toMatch(/^\/login/);
    await goBack();
    expect(await screen.findByRole('heading', { name: 'Your account' })).toBeTruthy();
  });

  it('opens the sides of a worker and of a business', async () => {
    const { unmount } = renderApp('/tabs/menu/account', { session: 'worker' });
    expect(await screen.findByText(leila.name)).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' }).textContent).toContain('My work');
    unmount();
    renderApp('/tabs/menu/account', { session: 'business' });
    expect(await screen.findByRole('link', { name: /^Kopi & Crumb/ })).toBeTruthy();
  });

  it("follows the server's signals", async () => {
    const { api } = renderApp('/tabs/menu/account', { session: 'worker' });
    await screen.findByText(leila.name);
    api.on({ 'accounts.me': never });
    signal({ kind: 'notice' });
    await vi.waitFor(() => expect(api.calls('accounts.me')).toHaveLength(2), 5_000);
  });

  it('removes a toast about one user before another signs in', async () => {
    renderApp('/tabs/menu/account', { session: 'worker' });
    await screen.findByText(leila.name);
    act(() => showToast('Released to Leila Haddad', { label: 'Open', run: () => {} }));
    expect(screen.getByText('Released to Leila Haddad')).toBeTruthy();
    act(() => session.clear());
    expect(screen.queryByText('Released to Leila Haddad')).toBeNull();
  });

  it('leaves nothing behind for the next test', () => {
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
    expect(document.body.textContent).toBe('');
  });
});

describe('the fake API', () => {
  const call = (path: string, init: RequestInit = {}) => api.fetch(`http://localhost/api${path}`, init);
  let api = new FakeApi({});

  it('reports what no handler, operation or schema covers', async () => {
    api = new FakeApi({ 'settings.get': { businessFeeBasisPoints: 1 } as never });
    api.verified = true;
    await call('/settings');
    await call('/settings/other');
    await call('/jobs/not-an-id');
    await call(`/jobs/${jobId}`);
    expect(api.faults).toEqual([
      expect.stringMatching(/^settings.get was answered what its schema refuses: workerFeeBasisPoints/),
      'GET /api/settings/other is not an operation of the contract',
      expect.stringMatching(/^jobs.get was sent what its schema refuses: jobId/),
      'jobs.get has no handler',
    ]);
  });

  it('rejects guests and unverified users like the server', async () => {
    api = new FakeApi({ 'accounts.me': () => Promise.reject(new Error('not reached')) });
    expect((await call('/accounts/me')).status).toBe(401);
    api.verified = false;
    const headers = { authorization: 'Bearer token' };
    expect(await (await call('/conversations/unread', { headers })).json()).toMatchObject({
      code: 'session/email-not-verified',
    });
  });

  it('responds through the real client, with inputs as the server parses them and one key per call', async () => {
    const { api: server } = renderPart(null, {
      session: 'business',
      api: {
        'nearby.search': ({ radiusKm }) => ({
          items: [],
          nextCursor: null,
          radiusKm,
          widened: false,
          respelled: [],
          common: null,
        }),
        'jobs.publish': () => {
          throw refuse('job/incomplete', { missing: ['title'] });
        },
        'jobs.close': () => {
          throw networkError();
        },
      },
    });
    expect(await client.nearby.search({ lat: 1, lng: 2, radiusKm: 3 })).toMatchObject({ radiusKm: 3 });
    expect(server.inputs('nearby.search')).toMatchObject([{ lat: 1, widen: true, limit: 20 }]);
    await expect(client.jobs.publish({ jobId })).rejects.toMatchObject({
      code: 'job/incomplete',
      data: { missing: ['title'] },
    });
    await expect(client.jobs.close({ jobId })).rejects.toMatchObject({
      code: 'network/failed',
    });
    expect(server.calls('jobs.publish')[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    setOnline(server, false);
    await expect(client.settings.get()).rejects.toMatchObject({ code: 'network/offline' });
  });
});
