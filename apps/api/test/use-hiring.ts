import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, beforeEach, expect } from 'vitest';
import { auditLedger, balanceOf } from '../src/money/ledger/ledger.service.ts';
import { fundBusiness } from '../src/money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../src/work/engagements/engagements.fixtures.ts';
import type { Person, useTestApp } from './harness.ts';

/**
 * Nadia, who hires, and for each test anew: her business, without any money, and Leila, who has not worked yet. With looks at what the two have, in cents, and at the
 * books.
 */
export function useHiring(app: ReturnType<typeof useTestApp>) {
  let nadia: Person;
  let leila: Person;
  let business: Business;
  const hirer = () => app.scopeOf(nadia.accountId);
  const worker = () => app.scopeOf(leila.accountId);
  const anotherBusiness = async () => {
    business = await makeBusiness(app.db, hirer(), { funded: false });
  };
  const anew = async () => {
    leila = await app.person({ name: 'Leila Haddad' });
    await anotherBusiness();
  };
  beforeAll(async () => {
    nadia = await app.person({ name: 'Nadia Brandt' });
  });
  beforeEach(anew);
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
    /** Another business and another worker, or another business alone, within a test. */
    anew,
    anotherBusiness,
    /** What a service gets when Nadia calls it, and when Leila does. */
    hirer,
    worker,
    /** Leila hired for the one seat of a job, with money from the balance: seven and a half hours of 17.50 unless wished otherwise. */
    hire: (options: Partial<JobDraft> = {}) =>
      makeEngagement(app.db, { worker: worker(), recruiter: hirer() }, business.id, {
        headCount: 1,
        ...options,
      }),
    fund: (amountMinor: number) => fundBusiness(app.db, hirer(), business.id, { amountMinor }),
    /** Left on the balance of the business. */
    balance: () => balanceOf(app.db, { kind: 'business_balance', ownerId: business.id }, 'EUR'),
    /** Leila's, to be withdrawn now and later. */
    available: () => balanceOf(app.db, { kind: 'worker_available', ownerId: leila.accountId }, 'EUR'),
    pending: () => balanceOf(app.db, { kind: 'worker_pending', ownerId: leila.accountId }, 'EUR'),
    /** The auditor finds nothing. */
    clean: async () => expect((await auditLedger(app.db, hirer())).findings).toEqual([]),
  };
}
