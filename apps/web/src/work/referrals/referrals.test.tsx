import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { type } from '../../../test/typing.ts';

const terms = {
  inviterMinor: 1_000,
  invitedMinor: 500,
  currency: 'EUR' as const,
  qualifyingMinor: 4_000,
  qualifyingDays: 90,
  clearingDays: 5,
  perMonth: 2,
  inAll: 50,
  claimDays: 7,
};
const mine = (change: Partial<AnswerOf<'referrals.mine'>> = {}): AnswerOf<'referrals.mine'> => ({
  code: 'AB12CD34EF',
  url: 'https://nearhand.example/r/AB12CD34EF',
  terms,
  paidTo: null,
  canClaim: true,
  joined: 0,
  rewarded: 0,
  earned: [],
  ...change,
});

function open(api: Handlers = {}) {
  return renderApp('/share-refer', {
    session: 'worker',
    api: { 'referrals.mine': mine(), 'referrals.list': { items: [], nextCursor: null }, ...api },
  });
}

describe('an invite code after sign-up', () => {
  it('is checked at the field, used, and then no longer requested', async () => {
    const { api } = open({
      'referrals.claim': () => {
        throw refuse('referral/own-code');
      },
    });
    await screen.findByText('Did someone invite you?');
    await press('Use code');
    expect(await screen.findByText('Enter the code as you got it, like AB12C-D34EF.')).toBeTruthy();
    expect(api.calls('referrals.claim')).toHaveLength(0);
    type('Invite code', 'ab12c-d34ef');
    await press('Use code');
    expect(await screen.findByText("You can't use your own invite code.")).toBeTruthy();
    api.on({
      'referrals.claim': { inviterFirstName: 'Sam' },
      'referrals.mine': mine({ canClaim: false }),
    });
    type('Invite code', 'ZZ12C-D34EF');
    await press('Use code');
    expect(await screen.findByText("Sam invited you. You're both in line for a reward.")).toBeTruthy();
    expect(api.inputs('referrals.claim').at(-1)).toEqual({ code: 'ZZ12C-D34EF' });
    await waitFor(() => expect(screen.queryByText('Did someone invite you?')).toBeNull());
  });

  it("is hidden from users who can't use one any more", async () => {
    open({ 'referrals.mine': mine({ canClaim: false }) });
    await screen.findByText('Nobody yet');
    expect(screen.queryByText('Did someone invite you?')).toBeNull();
  });
});

describe('an invite link', () => {
  it("shows the inviter's first name before sign-up", async () => {
    const { api } = renderApp('/getting-started?ref=AB12CD34EF', {
      api: { 'referrals.invitation': { firstName: 'Sam', terms } },
    });
    expect(await screen.findByText('Sam invited you to Nearhand.')).toBeTruthy();
    expect(api.inputs('referrals.invitation')[0]).toEqual({ code: 'AB12CD34EF' });
  });

  it('of nobody shows nothing, and is deleted', async () => {
    const { api } = renderApp('/getting-started?ref=ZZZZZZZZZZ', {
      api: {
        'referrals.invitation': () => {
          throw refuse('referral/unknown-code');
        },
      },
    });
    await waitFor(() => expect(api.calls('referrals.invitation')).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('nearhand-invite')).toBeNull());
    expect(screen.queryByText(/invited you/)).toBeNull();
  });

  it('is kept when the server is busy, and claimed later', async () => {
    let busy = true;
    localStorage.setItem('nearhand-invite', 'AB12CD34EF');
    const { api } = renderApp('/share-refer', {
      session: 'worker',
      api: {
        'referrals.mine': mine(),
        'referrals.list': { items: [], nextCursor: null },
        'referrals.claim': () => {
          if (!busy) return { inviterFirstName: 'Sam' };
          busy = false;
          throw refuse('request/too-many');
        },
      },
    });
    expect(
      await screen.findByText("Sam invited you. You're both in line for a reward.", {}, { timeout: 10_000 }),
    ).toBeTruthy();
    expect(api.calls('referrals.claim')).toHaveLength(2);
    expect(localStorage.getItem('nearhand-invite')).toBeNull();
  });

  it("is kept while the inviter can't be looked up", async () => {
    const { api } = renderApp('/getting-started?ref=AB12CD34EF', {
      api: {
        'referrals.invitation': () => {
          throw refuse('request/too-many');
        },
      },
    });
    await waitFor(() => expect(api.calls('referrals.invitation')).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(localStorage.getItem('nearhand-invite')).toBe('AB12CD34EF');
  });
});
