import type { Offer } from '@nearhand/contract/hiring/offers';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { acceptOffer, makeOffer as makeOfferOf } from './offers.ts';

export async function makeOffer(
  db: Db,
  scope: Scope,
  applicationId: string,
  options: { payMinor?: number; message?: string; funding?: FundingSource } = {},
): Promise<Offer> {
  const input = { applicationId, message: '', ...options };
  return db.transaction().execute((tx) => makeOfferOf(tx, scope, input));
}

export async function hire(
  db: Db,
  people: { recruiter: Scope; worker: Scope },
  applicationId: string,
  options: { payMinor?: number; message?: string; funding?: FundingSource } = {},
): Promise<Offer & { engagementId: string }> {
  const offer = await makeOffer(db, people.recruiter, applicationId, options);
  const request = { offerId: offer.id, version: offer.version };
  const accepted = await db.transaction().execute((tx) => acceptOffer(tx, people.worker, request));
  if (accepted.engagementId === null) throw new Error('an accepted offer without an engagement');
  return { ...accepted, engagementId: accepted.engagementId };
}
