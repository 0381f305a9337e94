import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Handlers, networkError } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { EndSessions } from './record-page.tsx';

const accountId = '01a1fbbc-d019-79f0-8086-994049deb373';
const reason = 'Their phone was stolen';
const show = (api: Handlers) =>
  renderPart(<EndSessions accountId={accountId} access={{ reason }} />, { session: 'worker', api });
const button = (name: string) => screen.findByRole('button', { name });
const press = async (name: string) => fireEvent.click(await button(name));

it("signs a user out after a second press, with the operator's reason", async () => {
  const reasons: (string | null)[] = [];
  await show({
    [`POST /api/operators/accounts/${accountId}/end-sessions` as const]: (request: Request) => {
      reasons.push(request.headers.get('x-operator-reason'));
      return Response.json({ ended: 2 });
    },
  });
  await press('Sign out this person');
  expect(reasons).toEqual([]);
  await press('Sign out everywhere');
  await button('Sign out this person');
  expect(reasons.map((reason) => decodeURIComponent(reason ?? ''))).toEqual([reason]);
});

it('keeps sessions when the operator cancels', async () => {
  const { api } = await show({ 'sessions.endOf': { ended: 1 } });
  await press('Sign out this person');
  await press('Cancel');
  await button('Sign out this person');
  expect(api.calls('sessions.endOf')).toEqual([]);
});

it('shows what went wrong, and stays ready for another attempt', async () => {
  await show({
    'sessions.endOf': () => {
      throw networkError();
    },
  });
  await press('Sign out this person');
  await press('Sign out everywhere');
  expect((await screen.findByRole('alert')).textContent).toMatch(/connection|reach/i);
  await button('Sign out everywhere');
});
