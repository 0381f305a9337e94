import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { networkError } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import content from '../../generated/help.json';
import type { HelpContent } from './article.ts';

const none = { items: [], nextCursor: null };
const search = (words: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search the help' }), { target: { value: words } });

describe('the help page', () => {
  it('shows the articles of a side, and those of the other one on request', async () => {
    renderApp('/help-center', { session: 'worker', api: { 'tickets.list': none } });
    expect(await screen.findByRole('heading', { level: 1, name: 'Help' })).toBeTruthy();
    const links = (name: string) => screen.queryAllByRole('link', { name }).length;
    expect([links('Check in at work'), links('What hiring costs')]).toEqual([2, 0]);
    fireEvent.click(screen.getByRole('radio', { name: 'Hire' }));
    expect([links('Check in at work'), links('What hiring costs')]).toEqual([0, 2]);
    expect(await screen.findByText('What you write to us appears here with our answers.')).toBeTruthy();
  });

  it('finds articles despite typos and unfinished words, without the network', async () => {
    const { api } = renderApp('/tabs/menu/help');
    await screen.findByRole('heading', { level: 1, name: 'Help' });
    api.reachable = false;
    search('chekin ofline');
    expect(await screen.findByRole('link', { name: 'Check in without a connection' })).toBeTruthy();
    await act(async () => search('chekc in code'));
    expect(await screen.findByRole('link', { name: 'Check in with a code' })).toBeTruthy();
    await act(async () => search('zzzzqqq'));
    expect(await screen.findByRole('heading', { name: 'No article about that' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ask us' }).getAttribute('href')).toBe('/tabs/menu/contact');
    await act(async () => search('wachtwoord vergeten'));
    expect(await screen.findByRole('link', { name: 'Change or reset your password' })).toBeTruthy();
  });

  it('requests nothing for a guest', async () => {
    renderApp('/tabs/menu/help');
    await screen.findByRole('heading', { level: 1, name: 'Help' });
    expect(screen.queryByRole('heading', { name: 'My requests' })).toBeNull();
  });

  it("shows what is slow, and staff's messages, here and above the page", async () => {
    renderApp('/tabs/menu/help', {
      api: {
        'serviceStatus.get': {
          message: {
            id: '0193aaaa-0000-7000-8000-000000000001',
            text: 'Payments are paused.',
            startsAt: '2026-11-21T09:00:00Z',
            endsAt: null,
          },
          slow: ['email'],
        },
      },
    });
    expect(await screen.findByText('Emails are arriving late.')).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText('Payments are paused.')).toHaveLength(2), {
      timeout: 5_000,
    });
  });
});

describe('an article', () => {
  it("contains this server's numbers, and links to others", async () => {
    renderApp('/tabs/menu/help/withdraw?from=%2Fwithdraw');
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Withdraw money to your bank' }),
    ).toBeTruthy();
    expect(screen.getByText('10 minutes')).toBeTruthy();
    expect(screen.getByText('Standard, free').tagName).toBe('STRONG');
    const related = screen.getByRole('heading', { name: 'Related articles' }).parentElement as HTMLElement;
    expect(within(related).getByRole('link', { name: 'A withdrawal failed or came back' })).toBeTruthy();
    const contact = screen.getByRole('link', { name: 'Contact us' });
    expect(contact.getAttribute('href')).toBe('/tabs/menu/contact?from=%2Fwithdraw');
  });

  it("shows that it doesn't exist", async () => {
    renderApp('/tabs/menu/help/none');
    expect(await screen.findByRole('heading', { level: 1, name: 'Article not found' })).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'Search the help' }));
    await waitFor(() => expect(address()).toBe('/tabs/menu/help'));
  });

  it.each((content as HelpContent).heads.slice(0, 3))(
    '$slug opens by its address',
    async ({ slug, title }) => {
      renderApp(`/tabs/menu/help/${slug}`);
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
    },
  );

  it('counts a vote, for an account', async () => {
    const { api } = renderApp('/tabs/menu/help/tips', {
      session: 'worker',
      api: { 'help.vote': (input) => input },
    });
    await press('Yes, it helped');
    expect(await screen.findByText('Thank you. That tells us which articles to keep.')).toBeTruthy();
    await press("No, it didn't");
    await waitFor(() =>
      expect(api.inputs('help.vote')).toEqual([
        { article: 'tips', helpful: true },
        { article: 'tips', helpful: false },
      ]),
    );
  });

  it("counts a guest's vote by device, and shows when it can't", async () => {
    const sent: unknown[] = [];
    const { api } = renderApp('/tabs/menu/help/tips', {
      api: {
        'PUT /api/guest-help-votes': async (request: Request) => {
          sent.push(await request.json());
          return Response.json({});
        },
      },
    });
    await press('Yes, it helped');
    await waitFor(() =>
      expect(sent).toEqual([
        { article: 'tips', helpful: true, device: expect.stringMatching(/^[\w-]{36}$/) },
      ]),
    );
    api.on({
      'PUT /api/guest-help-votes': () => {
        throw networkError();
      },
    });
    await press("No, it didn't");
    expect(await screen.findByText(/connection/i)).toBeTruthy();
  });
});
