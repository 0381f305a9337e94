import type { CaseFile } from '@nearhand/contract/trust/cases';
import type { FoundRecord } from '@nearhand/contract/trust/staff-search';
import { fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, it } from 'vitest';
import { networkError } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { Decision } from './decision.tsx';
import { FollowUp, TicketCustomer } from './ticket-work.tsx';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const at = '2026-11-20T09:00:00.000Z';
const message: ComponentProps<typeof FollowUp>['ticket']['messages'][number] = {
  id,
  author: 'requester',
  body: 'It is not in my balance.',
  files: [],
  filesRefused: 0,
  byMail: false,
  by: null,
  sentIn: null,
  at,
};
const thread: ComponentProps<typeof FollowUp>['ticket'] = {
  id,
  category: 'payments',
  subject: 'Where is my pay?',
  status: 'waiting',
  dueAt: null,
  helpful: null,
  createdAt: at,
  updatedAt: at,
  page: '',
  mergedInto: null,
  refs: [],
  messages: [message],
  from: { accountId: null, name: 'Anna', email: 'anna@mail.example' },
  openSince: at,
  ofCase: null,
  merged: [],
  closings: [],
  others: [],
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

it('writes to the author of an answered request again, or closes it', async () => {
  const { api } = await renderPart(<FollowUp ticket={thread} />, {
    session: 'worker',
    api: { 'operators.answerTicket': thread, 'operators.solveTicket': thread },
  });
  await press('Send answer');
  await screen.findByText('Write your answer.');
  fireEvent.change(await screen.findByLabelText('Your answer'), { target: { value: ' It is paid now. ' } });
  await press('Send answer');
  await screen.findByText('Answer sent');
  expect(api.inputs('operators.answerTicket')).toEqual([
    { ticketId: id, body: 'It is paid now.', fileIds: [], solve: false, lastMessageId: id },
  ]);
  await press('Close as solved');
  await screen.findByText('Request closed');
  expect(api.inputs('operators.solveTicket')).toEqual([{ ticketId: id, lastMessageId: id }]);
});

it('sends files with it', async () => {
  const file = {
    id,
    purpose: 'ticket' as const,
    name: 'receipt.pdf',
    bytes: 4,
    mediaType: 'application/pdf',
    path: `/files/${id}`,
  };
  const { api, container } = await renderPart(<FollowUp ticket={thread} />, {
    session: 'worker',
    api: { 'operators.answerTicket': thread, 'files.upload': file },
  });
  fireEvent.change(await screen.findByLabelText('Your answer'), { target: { value: 'Here it is.' } });
  const chosen = new File(['%PDF-1.7 1 0 obj %%EOF'], 'receipt.pdf', { type: 'application/pdf' });
  fireEvent.change(container.querySelector('input[type=file]') as Element, { target: { files: [chosen] } });
  await screen.findByText('receipt.pdf');
  await press('Send answer');
  await screen.findByText('Answer sent');
  expect(api.inputs('operators.answerTicket')).toEqual([
    { ticketId: id, body: 'Here it is.', fileIds: [id], solve: false, lastMessageId: id },
  ]);
  expect(screen.queryByText('receipt.pdf')).toBeNull();
});

it.each([
  ['is part of another one', { mergedInto: id }],
  ['is back in the queue', { status: 'open' as const }],
])('is not for a request that %s', async (_, change) => {
  await renderPart(<FollowUp ticket={{ ...thread, ...change }} />, { session: 'worker', api: {} });
  expect(screen.queryByRole('button')).toBeNull();
});

it('sends an answer once, after a lost response too', async () => {
  const { api, rerender } = await renderPart(<FollowUp ticket={thread} />, {
    session: 'worker',
    api: {
      'operators.answerTicket': () => {
        throw networkError();
      },
    },
  });
  expect(screen.getByText(/word for word, by mail\./)).toBeTruthy();
  fireEvent.change(await screen.findByLabelText('Your answer'), { target: { value: 'It is paid.' } });
  await press('Send answer');
  await screen.findByRole('alert');
  // The server has stored it, so the thread now ends with this answer.
  const answered = { ...message, id: id.replace(/3$/, '4'), author: 'staff' as const };
  rerender(<FollowUp ticket={{ ...thread, messages: [message, answered] }} />);
  api.on({ 'operators.answerTicket': thread });
  await press('Send answer');
  await screen.findByText('Answer sent');
  const keys = api.calls('operators.answerTicket').map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it('does not offer a kept text again that the thread ends with', async () => {
  const first = await renderPart(<FollowUp ticket={thread} />, { session: 'worker', api: {} });
  fireEvent.change(await screen.findByLabelText('Your answer'), { target: { value: 'It is paid.' } });
  first.unmount();
  const answered = { ...message, id: id.replace(/3$/, '4'), author: 'staff' as const, body: 'It is paid.' };
  const ticket = { ...thread, messages: [message, answered] };
  await renderPart(<FollowUp ticket={ticket} />, { session: 'worker', api: {} });
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Your answer');
  expect(field.value).toBe('');
  // Typed here, the same words are a new answer.
  fireEvent.change(field, { target: { value: 'It is paid.' } });
  expect(field.value).toBe('It is paid.');
});

it('says on the button and afterwards that an answer closes its request', async () => {
  const item = {
    id,
    kind: 'ticket',
    subjectId: id,
    title: thread.subject,
    tag: null,
    business: null,
    openedAt: at,
    language: 'en',
  };
  const file = { item, people: [], facts: { kind: 'ticket', ticket: thread } } as unknown as CaseFile;
  const operator = { id, name: 'Sven Berg', roles: ['owner'], secondFactors: ['code'] } as never;
  const { api } = renderPart(
    <OperatorProvider value={operator}>
      <Decision file={file} />
    </OperatorProvider>,
    { session: 'worker', api: { 'operators.macros': [], 'operators.answerTicket': thread } },
  );
  expect(screen.queryByText(/and closes the request\./)).toBeNull();
  fireEvent.click(screen.getByLabelText(/^Close as solved with this answer/));
  screen.getByText(/and closes the request\./);
  fireEvent.change(screen.getByLabelText(/^Your answer/), { target: { value: 'It is paid now.' } });
  fireEvent.click(screen.getByRole('button', { name: 'Answer and close' }));
  await screen.findByText('Answered and closed');
  expect(api.inputs('operators.answerTicket')[0]).toMatchObject({ body: 'It is paid now.', solve: true });
});

it('shows who wrote, read once for the claimed case', async () => {
  const customer = {
    open: [
      { kind: 'dispute', subjectId: id.replace(/3$/, '4'), title: 'Barista', deadline: at, claimedBy: null },
      { kind: 'ticket', subjectId: id, title: thread.subject, deadline: at, claimedBy: null },
    ],
    links: [],
    moreLinks: 0,
    sharedBanks: [],
    running: { openJobs: 0, bookings: 0 },
    person: {
      language: 'nl',
      lastSignIn: { at, device: 'Firefox on Windows' },
      memberships: [{ business: { id: id.replace(/3$/, '5'), name: 'Kopi & Crumb' }, role: 'owner' }],
    },
    checks: [
      { check: 'identity', status: 'verified', at },
      { check: 'passkeys', status: null, at: null },
    ],
  } satisfies FoundRecord['customer'];
  const record: FoundRecord = {
    item: { kind: 'person', id, title: 'Anna Vos', status: 'verified', of: null, email: null, createdAt: at },
    details: [],
    related: [],
    sanctions: [],
    goodwill: { waiting: null, paid: [] },
    customer,
  };
  const { api } = await renderPart(
    <TicketCustomer ticket={{ ...thread, from: { ...thread.from, accountId: id } }} />,
    { session: 'worker', api: { 'staffSearch.get': record } },
  );
  const link = (name: string) => screen.getByText(name).closest('a')?.getAttribute('href');
  await screen.findByText('Anna Vos');
  expect(link('Anna Vos')).toContain(`/search/person/${id}?case=ticket/${id}`);
  expect(link('Kopi & Crumb')).toContain(`case=ticket/${id}`);
  expect(screen.getByText('Dutch')).toBeTruthy();
  expect(screen.getByText(/Firefox on Windows/)).toBeTruthy();
  expect(screen.getByText(/^Verified/)).toBeTruthy();
  expect(screen.queryByText('Passkeys')).toBeNull();
  expect(screen.getAllByText(/, No\. /)).toHaveLength(1);
  expect(api.inputs('staffSearch.get')).toEqual([{ kind: 'person', id }]);
});

it('reads nothing about a guest', async () => {
  const { container } = await renderPart(<TicketCustomer ticket={thread} />, { session: 'worker', api: {} });
  expect(container.textContent).toBe('');
});
