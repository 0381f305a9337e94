import type { AccountDeletionState } from '@nearhand/contract/people/account-deletion';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Leaving } from './leaving.tsx';

const businessId = '0193aaaa-0000-7000-8000-00000000000b';
const state = (change: Partial<AccountDeletionState> = {}): AccountDeletionState => ({
  status: 'none',
  requestedAt: null,
  deleteAt: null,
  obstacles: [],
  mayReturn: [],
  confirmBy: 'password',
  graceDays: 30,
  ...change,
});
const scheduled = state({
  status: 'scheduled',
  requestedAt: '2026-11-22T09:00:00.000Z',
  deleteAt: '2026-12-22T09:00:00.000Z',
});

describe('deleting an account', () => {
  it('lists what has to be cleared first, each with a link', async () => {
    renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': state({
          obstacles: [
            { kind: 'balance', amountMinor: 2_050, currency: 'EUR' },
            { kind: 'work', count: 2 },
            { kind: 'dispute', count: 1 },
            { kind: 'business', businessId, name: 'Bar Noord' },
            { kind: 'operator' },
          ],
        }),
      },
    });
    const to = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await to(/€20.50 in your balance/)).toBe('/withdraw');
    expect(await to(/2 jobs not finished/)).toBe('/tabs/menu/my-work');
    expect(await to(/1 open dispute/)).toBe('/tabs/menu/my-work');
    expect(await to(/last owner of Bar Noord/)).toContain(businessId);
    expect(screen.getByText('Your account has a staff role')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull();
  });

  it('leads to a withdrawal without a minimum when only money is left', async () => {
    renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': state({
          obstacles: [{ kind: 'balance', amountMinor: 320, currency: 'EUR' }],
        }),
      },
    });
    const link = await screen.findByRole('link', { name: /€3.20 in your balance/ });
    expect(link.getAttribute('href')).toBe('/withdraw?closing=yes');
    expect(link.textContent).toContain("even if it's below the minimum");
  });

  it('asks for the password, and reports a wrong one at the field', async () => {
    const { api } = renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': state(),
        'accountDeletion.request': () => {
          throw refuse('account/wrong-password');
        },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete my account' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Delete your account' }));
    fireEvent.click(sheet.getByRole('button', { name: 'Delete my account' }));
    expect(await sheet.findByText('Enter your password.')).toBeTruthy();
    expect(api.calls('accountDeletion.request')).toHaveLength(0);
    fireEvent.change(sheet.getByLabelText('Your password'), { target: { value: 'not it' } });
    fireEvent.click(sheet.getByRole('button', { name: 'Delete my account' }));
    expect(await sheet.findByText("That isn't your password.")).toBeTruthy();
    expect(api.inputs('accountDeletion.request')).toEqual([{ password: 'not it' }]);
  });

  it('mails a code without a password', async () => {
    const { api } = renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': state({ confirmBy: 'code' }),
        'accountDeletion.sendCode': { sentTo: 'leila@example.org', expiresAt: '2026-11-22T09:15:00.000Z' },
        'accountDeletion.request': () => {
          throw refuse('account/wrong-code', { left: 4 });
        },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete my account' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Delete your account' }));
    fireEvent.click(sheet.getByRole('button', { name: 'Send the code' }));
    expect(await sheet.findByText(/We sent a code to leila@example.org/)).toBeTruthy();
    fireEvent.change(sheet.getByLabelText('Code from the email'), { target: { value: '12345' } });
    fireEvent.click(sheet.getByRole('button', { name: 'Delete my account' }));
    expect(await sheet.findByText('Enter the six digits from the email.')).toBeTruthy();
    fireEvent.change(sheet.getByLabelText('Code from the email'), { target: { value: '123456' } });
    fireEvent.click(sheet.getByRole('button', { name: 'Delete my account' }));
    expect(await sheet.findByText(/That code is wrong or expired/)).toBeTruthy();
    expect(api.inputs('accountDeletion.request')).toEqual([{ code: '123456' }]);
  });

  it('that is postponed shows the reasons and offers to keep the account', async () => {
    renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': {
          ...scheduled,
          status: 'postponed',
          obstacles: [{ kind: 'offer', count: 1 }],
        },
      },
    });
    expect(await screen.findByText("We couldn't delete your account yet")).toBeTruthy();
    expect(screen.getByText('1 offer to answer')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Keep my account' })).toBeTruthy();
  });

  it('shows what failed, and reloads', async () => {
    let down = true;
    renderPart(<DeleteAccount />, {
      session: 'worker',
      api: {
        'accountDeletion.get': () => {
          if (down) throw refuse('request/internal');
          return state();
        },
      },
    });
    expect(await screen.findByText("We couldn't load this part")).toBeTruthy();
    down = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeTruthy();
  });
});

describe('an account that is being deleted', () => {
  it('shows until when it can be kept, and a rejection', async () => {
    const { api } = renderPart(<Leaving />, {
      session: 'worker',
      api: {
        'accountDeletion.get': scheduled,
        'accountDeletion.undo': () => {
          throw refuse('request/unavailable');
        },
      },
    });
    expect(await screen.findByRole('heading', { name: /deleted on .*22 December/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Keep my account' }));
    await waitFor(() => expect(api.calls('accountDeletion.undo')).toHaveLength(1));
    expect(await screen.findByText(/Nearhand isn't responding/)).toBeTruthy();
  });
});
