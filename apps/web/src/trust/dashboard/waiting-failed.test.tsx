import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Business } from '@nearhand/contract/people/businesses';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { WaitingForYou } from './waiting-for-you.tsx';

const refetch = vi.hoisted(() => vi.fn());
vi.mock('../../hiring/applicants/applicants.api.ts', () => ({
  useBusinessApplicants: () => ({
    ...{ data: undefined, error: new Error('no'), isPending: true, isError: true, isFetching: false },
    ...{ hasNextPage: false, fetchNextPage: vi.fn(), refetch },
  }),
}));
vi.mock('../../work/engagements/engagements.api.ts', () => ({
  engagementsOf: () => [],
  useBusinessEngagements: () => ({ data: undefined }),
}));
vi.mock('../../money/wallet/wallet.api.ts', () => ({ useWallet: () => ({ data: undefined }) }));

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

it('says of applicants that could not be loaded no more than that, and asks for them again', () => {
  const business = { id: 'one', timeZone: 'Europe/Amsterdam' } as Business;
  render(
    <I18nProvider i18n={i18n}>
      <MemoryRouter>
        <WaitingForYou business={business} drafts={0} expired={0} />
      </MemoryRouter>
    </I18nProvider>,
  );
  expect(screen.getByText("We couldn't load your applicants.")).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalledOnce();
});
