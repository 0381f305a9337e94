import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, beforeEach, expect } from 'vitest';
import { auditLedger, balanceOf } from '../src/money/ledger/ledger.ts';
import { fundBusiness } from '../src/money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../src/work/engagements/engagements.fixtures.ts';
import type { Person, useTestApp } from './harness.ts';

/** Sets up Nadia, who hires without money, and Leila, who has not worked yet, before each test. Amounts in cents. */
export function useHiring(app: ReturnType<typeof useTestApp>) {
  let nadia: Person;
  let leila: Person;
  let business: Business;
  const hirer = () => app.scopeOf(nadia);
  const worker = () => app.scopeOf(leila);
  const anotherBusiness = async () => {
    business = await makeBusiness(app.db, hirer(), { funded: false });
  };
  const recast = async () => {
    leila = await app.person({ name: 'Leila Haddad' });
    await anotherBusiness();
  };
  beforeAll(async () => {
    nadia = await app.person({ name: 'Nadia Brandt' });
  });
  beforeEach(recast);
  return {
    get nadia() {
      return nadia;
    },
    get leila() {
      return leila;
    },
    get business() {
      return business;
    },
    recast,
    anotherBusiness,
    hirer,
    worker,
    /** Hires for 7.5 hours at 17.50 by default, paid from the balance. */
    hire: (options: Partial<JobDraft> = {}) =>
      makeEngagement(app.db, { worker: worker(), recruiter: hirer() }, business.id, {
        headCount: 1,
        ...options,
      }),
    fund: (amountMinor: number) => fundBusiness(app.db, hirer(), business.id, { amountMinor }),
    balance: () => balanceOf(app.db, { kind: 'business_balance', ownerId: business.id }, 'EUR'),
    available: () => balanceOf(app.db, { kind: 'worker_available', ownerId: leila.accountId }, 'EUR'),
    pending: () => balanceOf(app.db, { kind: 'worker_pending', ownerId: leila.accountId }, 'EUR'),
    expectSoundLedger: async () => expect((await auditLedger(app.db, hirer())).findings).toEqual([]),
  };
}
