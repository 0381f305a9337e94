import type { SecondApproval } from '@nearhand/contract/trust/second-approvals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { networkError } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { Goodwill } from './goodwill.tsx';

const recipientId = '01a1fbbc-d019-79f0-8086-994049deb373';
const maxMinor = 100_000;
const access = { reason: 'They wrote about a late payment' };
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

const goodwillOfLeila = (
  <Goodwill
    recipient={{ kind: 'person', id: recipientId, name: 'Leila Haddad' }}
    goodwill={{ waiting: null, paid: [] }}
    mayGive
    access={access}
    onChange={async () => {}}
  />
);

it('names the amount before it is sent, and requires a second operator beyond the limit', async () => {
  let paidMinor = 0;
  const { api } = await renderPart(goodwillOfLeila, {
    session: 'worker',
    api: {
      'secondApprovals.goodwill': () => ({
        currency: 'EUR' as const,
        aloneMinor: 5_000 - paidMinor,
        maxMinor,
      }),
      'secondApprovals.giveGoodwill': ({ amountMinor }) => {
        if (amountMinor > 5_000) return { state: 'waiting' as const };
        paidMinor += amountMinor;
        return { state: 'paid' as const };
      },
    },
  });
  await press('Give goodwill');
  await press('Give it now');
  await screen.findByText('Enter an amount.');
  await type(/^Reason/, 'We paid your last shift late.');
  await type(/^Amount/, '20000');
  await press('Ask a second person');
  await screen.findByText('One payment can be at most €1,000.');
  await type(/^Amount/, '50.01');
  await press('Ask a second person');
  await screen.findByText('Give €50.01 to Leila Haddad?');
  expect(api.calls('secondApprovals.giveGoodwill')).toEqual([]);
  await press('Ask for €50.01');
  await screen.findByText('Sent to a second person');
  await press('Give goodwill');
  await type(/^Amount/, '12.34');
  await type(/^Reason/, 'We paid your last shift late.');
  await press('Give it now');
  await press('Give €12.34');
  await screen.findByText('Paid');
  await press('Give goodwill');
  await screen.findByText(/^You can give €37.66 more/);
  expect(api.calls('secondApprovals.giveGoodwill').map(({ input }) => input)).toMatchObject([
    { kind: 'person', recipientId, amountMinor: 5_001, currency: 'EUR' },
    { amountMinor: 1_234 },
  ]);
});

it('can still be given while an earlier request waits, and shows only what was paid to those who may not give it', async () => {
  const approval: SecondApproval = {
    id: '01a1fbbc-d019-79f0-8086-994049deb374',
    subjectId: recipientId,
    kind: 'goodwill',
    requestedBy: { id: '01a1fbbc-d019-79f0-8086-994049deb375', name: 'Mila Horvat' },
    requestedAt: '2026-11-22T09:00:00.000Z',
    reason: 'A late payment.',
    amountMinor: 9_000,
    currency: 'EUR',
    expiresAt: '2026-11-25T09:00:00.000Z',
    state: 'waiting',
    decidedBy: null,
    decidedAt: null,
    note: null,
  };
  const goodwill = (mayGive: boolean) => (
    <OperatorProvider
      value={{
        id: recipientId,
        name: 'Jonas',
        email: 'j@x.example',
        roles: ['owner'],
        secondFactors: ['code'],
        present: true,
      }}
    >
      <Goodwill {...goodwillOfLeila.props} mayGive={mayGive} goodwill={{ waiting: approval, paid: [] }} />
    </OperatorProvider>
  );
  await renderPart(goodwill(true), { session: 'worker' });
  await screen.findByRole('button', { name: 'Give goodwill' });
  cleanup();
  await renderPart(goodwill(false), { session: 'worker' });
  await screen.findByText(/A late payment/);
  expect(screen.queryByText(/^Give this person/)).toBeNull();
});

it('pays once after a lost response', async () => {
  const keys: (string | null)[] = [];
  await renderPart(goodwillOfLeila, {
    session: 'worker',
    api: {
      'secondApprovals.goodwill': () => ({ currency: 'EUR' as const, aloneMinor: 5_000, maxMinor }),
      'secondApprovals.giveGoodwill': (_input, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length === 1) throw networkError();
        return { state: 'paid' as const };
      },
    },
  });
  await press('Give goodwill');
  await type(/^Amount/, '20');
  await type(/^Reason/, 'We paid your last shift late.');
  await press('Give it now');
  await press('Give €20');
  await screen.findByText(/connection/);
  await press('Give it now');
  await press('Give €20');
  await screen.findByText('Paid');
  expect(new Set(keys).size).toBe(1);
});
