import type { OperatorChange, OperatorView } from '@nearhand/contract/trust/operators';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { changeText, TeamPage } from './team-page.tsx';

const me = '01a1fbbc-d019-79f0-8086-994049deb371';
const secondOwnerId = '01a1fbbc-d019-79f0-8086-994049deb372';
const changeId = '01a1fbbc-d019-79f0-8086-994049deb373';
const owner = (id: string, name: string): OperatorView => ({
  id,
  name,
  email: `${name.toLowerCase()}@nearhand.example`,
  roles: ['owner'],
  addedAt: '2026-11-20T09:00:00.000Z',
  hasSecondFactor: true,
});
const pending: OperatorChange = {
  id: changeId,
  account: { id: '01a1fbbc-d019-79f0-8086-994049deb374', name: 'Sven Berg', email: 'sven@nearhand.example' },
  previousRoles: [],
  roles: ['support'],
  reason: 'Joins the support team',
  requestedBy: { id: secondOwnerId, name: 'Mila' },
  requestedAt: '2026-11-21T08:00:00.000Z',
  expiresAt: '2026-11-24T08:00:00.000Z',
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  note: null,
};
const show = (api: Handlers) =>
  renderPart(
    <OperatorProvider
      value={{
        id: me,
        name: 'Jonas',
        email: 'j@x.example',
        roles: ['owner'],
        secondFactors: ['code'],
        present: true,
      }}
    >
      <TeamPage />
    </OperatorProvider>,
    { session: 'worker', api: { 'cases.assignments': [], ...api } },
  );
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('requests an appointment with its roles and reason, and shows a rejected address at its field', async () => {
  const operators = [owner(me, 'Jonas'), owner(secondOwnerId, 'Mila')];
  const { api } = await show({
    'operators.list': { operators, changes: [] },
    'operators.requestChange': ({ email }) => {
      if (email !== 'sven@nearhand.example') throw refuse('operator/no-account');
      return pending;
    },
  });
  await press('Ask another owner');
  await screen.findByText('Enter their email address.');
  screen.getByText('Choose at least one role.');
  expect(api.calls('operators.requestChange')).toEqual([]);
  type(/^Email/, 'nobody@nearhand.example');
  fireEvent.click(screen.getByLabelText(/^Support/));
  type(/^Reason/, 'Joins the support team');
  await press('Ask another owner');
  expect((await screen.findByLabelText(/^Email/)).getAttribute('aria-invalid')).toBe('true');
  type(/^Email/, 'sven@nearhand.example');
  await press('Ask another owner');
  await screen.findByText('Another owner has to approve it');
  expect(api.calls('operators.requestChange').at(-1)?.input).toEqual({
    email: 'sven@nearhand.example',
    roles: ['support'],
    reason: 'Joins the support team',
  });
});

it("approves another owner's request, and rejects only with a note", async () => {
  const { api } = await show({
    'operators.list': { operators: [owner(me, 'Jonas'), owner(secondOwnerId, 'Mila')], changes: [pending] },
    'operators.decideChange': { ...pending, state: 'approved' },
  });
  await press('Refuse');
  await press('Refuse the change');
  await screen.findByText('Write why.');
  await press('Cancel');
  await press('Approve');
  await screen.findByText('Approved');
  expect(api.calls('operators.decideChange').map(({ input }) => input)).toMatchObject([
    { changeId, decision: 'approve' },
  ]);
});

it('shows that a change was withdrawn because the roles had changed', async () => {
  await show({
    'operators.list': { operators: [owner(me, 'Jonas'), owner(secondOwnerId, 'Mila')], changes: [pending] },
    'operators.decideChange': { ...pending, state: 'withdrawn', decidedAt: '2026-11-21T09:00:00.000Z' },
  });
  await press('Approve');
  await screen.findByText(/^Withdrawn/);
});

it('offers no change of an owner without a third one to approve it', async () => {
  await show({
    'operators.list': { operators: [owner(me, 'Jonas'), owner(secondOwnerId, 'Mila')], changes: [] },
  });
  await screen.findByText('Only another owner with a second step can approve a change of Mila.');
  expect(screen.getAllByRole('button', { name: 'End' })).toHaveLength(1);
});

it('shows that a single owner uses the command line', async () => {
  await show({ 'operators.list': { operators: [owner(me, 'Jonas')], changes: [] } });
  await screen.findByText(/You're the only owner/);
});

it('assigns cases of a kind to an operator with its role', async () => {
  const support: OperatorView = { ...owner(secondOwnerId, 'Sven'), roles: ['support'] };
  const { api } = await show({
    'operators.list': { operators: [owner(me, 'Jonas'), support], changes: [] },
    'cases.saveAssignment': ({ accountId: id }) => ({
      id: changeId,
      kind: 'ticket',
      language: null,
      operator: { id, name: 'Sven' },
    }),
  });
  await press('Add rule');
  await screen.findByText('Choose a kind or a language.');
  const operators = () =>
    [...screen.getByLabelText<HTMLSelectElement>('Operator').options].map(({ text }) => text);
  type(/^Kind/, 'appeal');
  expect(operators()).not.toContain('Sven');
  type(/^Kind/, 'ticket');
  type(/^Operator$/, secondOwnerId);
  await press('Add rule');
  await screen.findByText('Rule saved');
  expect(api.calls('cases.saveAssignment').map(({ input }) => input)).toEqual([
    { kind: 'ticket', language: null, accountId: secondOwnerId },
  ]);
});

it('describes a change by its roles', () => {
  expect(changeText({ previousRoles: [], roles: ['support', 'trust'] })).toBe('Appoint as Support, Trust');
  expect(changeText({ previousRoles: ['owner'], roles: [] })).toBe('End the appointment');
  expect(changeText({ previousRoles: ['support'], roles: ['owner'] })).toBe('Support becomes Owner');
});
