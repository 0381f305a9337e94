import type { CaseItem, ClosedCase } from '@nearhand/contract/trust/cases';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { QueuePage } from './queue-page.tsx';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';
const otherId = '01a1fbbc-d019-79f0-8086-994049deb374';
const openCase: CaseItem = {
  kind: 'ticket',
  subjectId: id,
  title: 'Where is my pay?',
  tag: null,
  business: null,
  priority: 'normal',
  openedAt: '2026-11-20T09:00:00.000Z',
  deadline: '2026-11-22T09:00:00.000Z',
  claimedBy: null,
  claimedAt: null,
  assignedTo: null,
  handedBy: null,
  language: 'en',
  notes: 0,
  waitsUntil: null,
  waitsFor: [],
  answeredAt: null,
  awaitsApproval: false,
};
const closedCase: ClosedCase = {
  id,
  kind: 'ticket',
  subjectId: id,
  title: 'My card was refused',
  tag: null,
  business: null,
  openedAt: '2026-11-20T09:00:00.000Z',
  decision: 'answer',
  by: { id, name: 'Mira' },
  decidedAt: '2026-11-21T09:00:00.000Z',
};
const session = { id, name: 'Mira', email: 'mira@x.example', present: true };

const openQueue = (path: string, api: object) =>
  renderPart(
    <OperatorProvider value={{ ...session, roles: ['support'], secondFactors: ['code'] }}>
      <QueuePage />
    </OperatorProvider>,
    {
      path,
      session: 'worker',
      api: {
        'cases.list': { items: [], nextCursor: null },
        'cases.closed': { items: [closedCase], nextCursor: null },
        'cases.counts': [],
        'cases.views': [],
        'cases.colleagues': [],
        'cases.figures': {
          overdue: 1,
          dueToday: 0,
          open: 1,
          breachedToday: 1,
          breachedThisWeek: 1,
          decidedThisWeek: 0,
          inTimeThisWeek: 0,
        },
        ...api,
      },
    },
  );

it('searches open and closed cases of every list at once', async () => {
  const { api } = openQueue('/?show=mine', {
    'cases.list': ({ text }: { text?: string }) => ({ items: text ? [openCase] : [], nextCursor: null }),
  });
  fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'deb373' } });
  await within(await screen.findByRole('region', { name: 'Open cases' })).findByText('Where is my pay?');
  await within(screen.getByRole('region', { name: 'Closed cases' })).findByText('My card was refused');
  await waitFor(() => expect(api.inputs('cases.closed').at(-1)).toMatchObject({ text: 'deb373' }));
  expect(api.inputs('cases.list').at(-1)).toMatchObject({ text: 'deb373', all: true });
});

it('tells closed cases apart by what they are about, and lists those of a colleague', async () => {
  const suspension = {
    kind: 'appeal',
    title: 'Account',
    tag: 'suspension',
    business: { id, name: 'Kopi Corner' },
  };
  const reversed = {
    ...closedCase,
    ...suspension,
    decision: 'overturned',
    by: { id: otherId, name: 'Olga' },
  };
  const { api } = openQueue('/?show=closed', {
    'cases.closed': { items: [reversed], nextCursor: null },
    'cases.colleagues': [{ id, name: 'Mira', roles: ['support'], hasSecondFactor: true }],
  });
  await screen.findByText('Appeal · Suspension · Kopi Corner · Decision reversed');
  await screen.findByRole('option', { name: 'You' });
  fireEvent.change(screen.getByLabelText('Decided by'), { target: { value: id } });
  await screen.findByText(/· Your decision was reversed by Olga$/);
  expect(api.inputs('cases.closed').at(-1)).toMatchObject({ decidedBy: id });
});

it('lists decided cases that wait for an answer from outside', async () => {
  const counts = {
    open: 0,
    forOthers: 0,
    unclaimed: 0,
    mine: 0,
    overdue: 0,
    waiting: 0,
    oldestAt: null,
    answered: 2,
  };
  const { api } = openQueue('/?show=waiting', { 'cases.counts': [{ kind: 'ticket', ...counts }] });
  const list = await screen.findByRole('region', { name: 'Waiting for a reply' });
  await within(list).findByText('My card was refused');
  expect(screen.getByRole('button', { name: /^Waiting/ }).textContent).toBe('Waiting2');
  expect(api.inputs('cases.closed')).toMatchObject([{ waiting: true }]);
});
