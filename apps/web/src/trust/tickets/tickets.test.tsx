import type { TicketThread } from '@nearhand/contract/trust/tickets';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { field, problemAt, type } from '../../../test/typing.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useGuestReply } from './tickets.api.ts';

const id = '0193aaaa-0000-7000-8000-000000000001';
const workId = '0193aaaa-0000-7000-8000-000000000002';
const at = '2026-11-21T09:00:00.000Z';
const sample = (change: Partial<TicketThread> = {}): TicketThread => ({
  id,
  category: 'payments',
  subject: 'My pay is missing',
  status: 'open',
  dueAt: null,
  helpful: null,
  createdAt: at,
  updatedAt: at,
  page: '',
  mergedInto: null,
  refs: [],
  messages: [
    { id: workId, author: 'requester', body: 'Where is it?', files: [], filesRefused: 0, byMail: false, at },
  ],
  ...change,
});
const from = encodeURIComponent(`/tabs/menu/my-work/engagement/${workId}`);
const write = () => {
  fireEvent.change(field('What is it about?'), { target: { value: 'payments' } });
  type('Subject', 'Withdraw to a bank');
  type('What happened?', ' It never arrived. ');
};

describe('the contact form', () => {
  it('sends the text with the context, and opens the request', async () => {
    const { api } = renderApp(`/tabs/menu/contact?from=${from}`, {
      session: 'worker',
      api: { 'tickets.create': sample(), 'tickets.get': sample() },
    });
    await screen.findByRole('heading', { level: 1, name: 'Contact us' });
    write();
    expect(await screen.findByRole('link', { name: 'Withdraw money to your bank' })).toBeTruthy();
    await press('Send to Nearhand');
    await waitFor(() => expect(address()).toBe(`/tabs/menu/request/${id}`));
    expect(api.inputs('tickets.create')).toEqual([
      {
        category: 'payments',
        subject: 'Withdraw to a bank',
        body: 'It never arrived.',
        page: '/tabs/menu/my-work/engagement',
        refs: [{ kind: 'engagement', id: workId }],
        fileIds: [],
      },
    ]);
  });

  it('omits removed context', async () => {
    const { api } = renderApp(`/tabs/menu/contact?from=${from}`, {
      session: 'worker',
      api: { 'tickets.create': sample(), 'tickets.get': sample() },
    });
    await screen.findByText(workId);
    await press("Don't send the page");
    await press("Don't send: The booked work you looked at");
    write();
    await press('Send to Nearhand');
    await waitFor(() => expect(api.inputs('tickets.create')[0]).toMatchObject({ page: '', refs: [] }));
  });

  it('reports missing fields, and keeps the text when it is rejected', async () => {
    const { api } = renderApp('/tabs/menu/contact', {
      session: 'worker',
      api: {
        'tickets.create': () => {
          throw refuse('ticket/too-many', { limit: 10 });
        },
      },
    });
    await screen.findByRole('heading', { level: 1, name: 'Contact us' });
    await press('Send to Nearhand');
    await waitFor(() => expect(problemAt('Subject')).toBe('Sum it up in a few words.'));
    expect(api.calls('tickets.create')).toHaveLength(0);
    write();
    await press('Send to Nearhand');
    expect(await screen.findByText(/as often in 24 hours as we allow/)).toBeTruthy();
    expect(field('Subject').value).toBe('Withdraw to a bank');
  });

  it('asks a guest for an address to confirm, and accepts files later', async () => {
    const sent: Record<string, unknown>[] = [];
    renderApp(`/tabs/menu/contact?from=${from}`, {
      api: {
        'POST /api/guest-tickets': async (request: Request) => {
          sent.push((await request.json()) as Record<string, unknown>);
          return Response.json({}, { status: 201 });
        },
      },
    });
    await screen.findByRole('heading', { level: 1, name: 'Contact us' });
    expect(screen.queryByRole('button', { name: 'Add photos or files' })).toBeNull();
    expect(screen.getByText(/^You can add files once/)).toBeTruthy();
    write();
    type('Your name', 'Gus');
    type('Email', 'gus@');
    await press('Send to Nearhand');
    await waitFor(() => expect(problemAt('Email')).toBe('Enter an address such as name@example.com.'));
    type('Email', 'gus@mail.example');
    await press('Send to Nearhand');
    expect(await screen.findByText(/We sent a link to gus@mail\.example/)).toBeTruthy();
    expect(sent).toEqual([
      {
        id: expect.any(String),
        language: 'en',
        name: 'Gus',
        email: 'gus@mail.example',
        category: 'payments',

        subject: 'Withdraw to a bank',
        body: 'It never arrived.',
        page: '/tabs/menu/my-work/engagement',
      },
    ]);
  });
});

describe('the link that confirms a request', () => {
  it('confirms it once', async () => {
    let calls = 0;
    renderApp('/tabs/menu/contact?confirm=token', {
      api: {
        'POST /api/guest-tickets/confirm': () => {
          calls += 1;
          return Response.json({});
        },
      },
    });
    expect(await screen.findByRole('heading', { name: 'Your request is confirmed' })).toBeTruthy();
    expect(calls).toBe(1);
  });

  it('shows when it is too old', async () => {
    renderApp('/tabs/menu/contact?confirm=token', {
      api: {
        'POST /api/guest-tickets/confirm': () =>
          Response.json({ code: 'ticket/not-found', message: '', requestId: 'r' }, { status: 404 }),
      },
    });
    expect(await screen.findByText("We can't find this request, or the link has expired.")).toBeTruthy();
  });
});

describe('a request', () => {
  const answered = sample({
    status: 'waiting',
    messages: [
      ...sample().messages,
      {
        id,
        author: 'staff',
        body: 'It clears on Friday.',
        files: [],
        filesRefused: 0,
        byMail: false,
        at,
      },
    ],
  });

  it('shows the reply, and sends another once', async () => {
    const { api } = renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      api: { 'tickets.get': answered, 'tickets.reply': sample() },
    });
    expect(await screen.findByText('It clears on Friday.')).toBeTruthy();
    expect(screen.getByText('Waiting for you')).toBeTruthy();
    await press('Send reply');
    await waitFor(() => expect(problemAt('Your reply')).toBe('Write your reply.'));
    type('Your reply', 'Thank you.');
    await press('Send reply');
    await waitFor(() =>
      expect(api.inputs('tickets.reply')).toEqual([{ ticketId: id, body: 'Thank you.', fileIds: [] }]),
    );
    await waitFor(() => expect(field('Your reply').value).toBe(''));
  });

  it("that Nearhand started shows the time to reply, and isn't closed", async () => {
    renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      now: '2026-11-21T10:00:00Z',
      api: { 'tickets.get': { ...answered, dueAt: '2026-11-22T09:00:00.000Z' } },
    });
    expect(await screen.findByText(/^Answer by Sun.*After that we decide with what we have\.$/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Mark as solved' })).toBeNull();
  });

  it('is closed by its author', async () => {
    const { api } = renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      api: { 'tickets.get': answered, 'tickets.solve': { ...answered, status: 'solved' } },
    });
    await press('Mark as solved');
    const question = within(await screen.findByRole('alertdialog'));
    expect(api.calls('tickets.solve')).toEqual([]);
    fireEvent.click(question.getByRole('button', { name: 'Mark as solved' }));
    expect(await screen.findByText('This request is closed. Your reply opens it again.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Mark as solved' })).toBeNull();
  });

  it('that was merged links to the one with its messages', async () => {
    renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      api: { 'tickets.get': sample({ status: 'solved', mergedInto: workId }) },
    });
    const link = await screen.findByRole('link', { name: 'Open that request' });
    expect(link.getAttribute('href')).toBe(`/tabs/menu/request/${workId}`);
    expect(screen.queryByLabelText('Your reply')).toBeNull();
  });

  it('asks a guest to log in', async () => {
    renderApp(`/tabs/menu/request/${id}`);
    expect((await screen.findByRole('link', { name: 'Log in' })).getAttribute('href')).toContain(id);
  });

  it("shows not found for someone else's", async () => {
    renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      api: {
        'tickets.get': () => {
          throw refuse('ticket/not-found');
        },
      },
    });
    expect((await screen.findAllByText("We couldn't load your request")).length).toBeGreaterThan(0);
  });
});

describe("a guest's request, opened by its link", () => {
  const guestSample = { ...sample(), status: 'waiting', linkExpiresAt: at };
  const open = (api: NonNullable<Parameters<typeof renderApp>[1]>['api']) =>
    renderApp(`/tabs/menu/request/${id}?link=its-link`, { api });

  it('can be read and answered without an account', async () => {
    const forms: { link: string | null; body: unknown; files: number }[] = [];
    open({
      'GET /api/guest-tickets/thread': () => Response.json(guestSample),
      'POST /api/guest-tickets/thread/messages': async (request: Request) => {
        const form = await request.formData();
        const link = request.headers.get('nearhand-request-link');
        forms.push({ link, body: form.get('body'), files: form.getAll('files').length });
        return Response.json({ ...guestSample, status: 'open' }, { status: 201 });
      },
    });
    await screen.findByRole('heading', { level: 1, name: 'My pay is missing' });
    type('Your reply', ' It is Friday. ');
    await press('Send reply');
    expect(await screen.findByText("We have your message. We'll answer here and by email.")).toBeTruthy();
    expect(forms).toEqual([{ link: 'its-link', body: 'It is Friday.', files: 0 }]);
  });

  it('accepts five files, however fast they are added', async () => {
    const { container } = open({ 'GET /api/guest-tickets/thread': () => Response.json(guestSample) });
    await screen.findByRole('heading', { level: 1, name: 'My pay is missing' });
    const input = container.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
    for (const batch of ['a', 'b']) {
      const files = [1, 2, 3].map(
        (at) => new File(['%PDF-1.7 1 0 obj %%EOF'], `${batch}${at}.pdf`, { type: 'application/pdf' }),
      );
      fireEvent.change(input, { target: { files } });
    }
    expect(await screen.findByText('You can add up to 5 files. We left out the rest.')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Remove / })).toHaveLength(5);
  });

  it('repeats a reply under its id, but not with another link', async () => {
    const ids: unknown[] = [];
    vi.stubGlobal('fetch', async (_url: string, { body }: { body: FormData }) => {
      ids.push(body.get('id'));
      throw new TypeError('offline');
    });
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    );
    const send = async (link: string) => {
      const { result } = renderHook(() => useGuestReply(link), { wrapper });
      await expect(result.current.mutateAsync({ body: 'Hello', files: [] })).rejects.toThrow();
    };
    for (const link of ['one', 'one', 'two']) await send(link);
    vi.unstubAllGlobals();
    const [first, repeat, other] = ids;
    expect(repeat).toBe(first);
    expect(other).not.toBe(first);
  });

  it('shows when the link has ended, and mails a new one', async () => {
    let sent = 0;
    open({
      'GET /api/guest-tickets/thread': () =>
        Response.json({ code: 'ticket/link-expired', message: '', requestId: 'r' }, { status: 410 }),
      'POST /api/guest-tickets/thread/link': () => {
        sent += 1;
        return Response.json({ sent: true });
      },
    });
    await screen.findByRole('heading', { level: 1, name: 'This link no longer works' });
    await press('Email me a new link');
    expect(await screen.findByRole('heading', { level: 1, name: 'Check your inbox' })).toBeTruthy();
    expect(sent).toBe(1);
  });
});

describe('a closed request', () => {
  it('asks whether it was helpful, and shows what follows', async () => {
    const { api } = renderApp(`/tabs/menu/request/${id}`, {
      session: 'worker',
      api: {
        'tickets.get': sample({ status: 'solved' }),
        'tickets.rate': sample({ status: 'solved', helpful: false }),
      },
    });
    await screen.findByRole('heading', { name: 'Did our answer help?' });
    await press("No, it didn't");
    expect(await screen.findByText(/Write what's missing/)).toBeTruthy();
    expect(api.inputs('tickets.rate')).toEqual([{ ticketId: id, helpful: false }]);
  });

  it('asks nothing while it is open', async () => {
    renderApp(`/tabs/menu/request/${id}`, { session: 'worker', api: { 'tickets.get': sample() } });
    await screen.findByText(/^We have your message/);
    expect(screen.queryByText('Did our answer help?')).toBeNull();
  });
});
