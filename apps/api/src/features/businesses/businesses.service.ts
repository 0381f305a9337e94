import type { Business, BusinessInput, PublicBusiness } from '@nearhand/contract/businesses';
import { fileContentPath } from '@nearhand/contract/files';
import { type Currency, currencyDigits } from '@nearhand/contract/money';
import type { CategoryId } from '@nearhand/contract/taxonomy';
import zoneOf from '@photostructure/tz-lookup';
import countryToCurrency from 'country-to-currency';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { findOwnFile } from '../files/files.service.ts';
import { renameBusinessInJobs } from '../jobs/job-business.service.ts';
import { moveBusiness } from './business-moves.service.ts';
import { businessActionsFor } from './businesses.policy.ts';
import { isPublic, mayBeEdited, nextBusinessStatus } from './businesses.rules.ts';
import {
  type CountedBusiness,
  countUnverifiedOwned,
  findBusiness,
  findBusinessesOf,
  insertBusiness,
  insertMember,
  lockBusiness,
  lockRegistrations,
  updateBusinessVersion,
} from './businesses.sql.ts';
import { demandRole } from './members.service.ts';

/**
 * Registers a business; whoever registers it becomes its owner and it starts as a draft. Any verified account may.
 * The time zone follows from the place, the currency from the country. An account owns `BUSINESSES_WHILE_UNVERIFIED` that are not verified, or the limit of open
 * jobs of each would be none (ADR 0125).
 * @throws business/too-many (data: limit), file/not-found, file/wrong-type for a logo that is not the caller's own
 */
export async function registerBusiness(tx: Tx, scope: Scope, input: BusinessInput): Promise<Business> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const businessId = newId(now);
  const limit = scope.config.BUSINESSES_WHILE_UNVERIFIED;
  await lockRegistrations(tx, accountId);
  if ((await countUnverifiedOwned(tx, accountId)) >= limit)
    throw new AppError('business/too-many', { limit });
  if (input.logoFileId) await findOwnFile(tx, accountId, input.logoFileId, 'logo');
  await insertBusiness(tx, {
    id: businessId,
    status: 'draft',
    name: input.name,
    legal_name: input.legalName,
    registration_number: input.registrationNumber,
    category: input.category,
    description: input.description,
    email: input.email,
    phone: input.phone,
    website: input.website,
    logo_file_id: input.logoFileId,
    address: input.address,
    area: input.area,
    country_code: input.countryCode,
    lat: input.lat,
    lng: input.lng,
    private_address: input.privateAddress,
    time_zone: zoneOf(input.lat, input.lng),
    currency: currencyOf(input.countryCode),
    created_at: now,
    updated_at: now,
  });
  await insertMember(tx, {
    business_id: businessId,
    account_id: accountId,
    role: 'owner',
    created_at: now,
  });
  return memberView(tx, businessId, accountId);
}

/** The businesses the caller is a member of, by name; at most 100. */
export async function myBusinesses(db: Db, scope: Scope): Promise<Business[]> {
  const rows = await findBusinessesOf(db, scope.actor.accountId);
  return rows.map(toBusiness);
}

/** One business, for any of its members. @throws business/not-found */
export async function getBusiness(db: Db, scope: Scope, input: { businessId: string }): Promise<Business> {
  return memberView(db, input.businessId, scope.actor.accountId);
}

/** What anyone may know of a business. @throws business/not-found also for one that was rejected, suspended or closed */
export async function businessProfile(
  db: Db,
  _scope: Scope<Actor | null>,
  input: { businessId: string },
): Promise<PublicBusiness> {
  const row = await findBusiness(db, input.businessId, null);
  if (!row || !isPublic(row.status)) throw new AppError('business/not-found');
  return {
    id: row.id,
    name: row.name,
    category: row.category as CategoryId,
    description: row.description,
    area: row.area,
    verified: row.status === 'verified',
    logoPath: row.logo && fileContentPath(row.logo.id),
    website: row.website,
    openJobs: row.open_jobs,
    memberSince: row.created_at.toISOString(),
  };
}

/**
 * Edits a business; managers and owners may. A new legal name sends a verified business back to be verified. What is absent stays.
 * Jobs keep the place and the currency they were made with.
 * @throws business/not-found, business/not-allowed, business/stale, business/wrong-state, file/not-found, file/wrong-type
 */
export async function updateBusiness(
  tx: Tx,
  scope: Scope,
  { businessId, version, ...input }: Partial<BusinessInput> & { businessId: string; version: number },
): Promise<Business> {
  const { accountId } = scope.actor;
  await demandRole(tx, businessId, accountId, 'manager');
  const before = await lockBusiness(tx, businessId);
  if (!before) throw new AppError('business/not-found');
  if (!mayBeEdited(before.status)) throw new AppError('business/wrong-state', { status: before.status });
  if (before.version !== version) throw new AppError('business/stale', { version: before.version });
  if (input.logoFileId && input.logoFileId !== before.logo_file_id)
    await findOwnFile(tx, accountId, input.logoFileId, 'logo');
  const lat = input.lat ?? before.lat;
  const lng = input.lng ?? before.lng;
  const changed = await updateBusinessVersion(tx, businessId, version, {
    name: input.name,
    legal_name: input.legalName,
    registration_number: input.registrationNumber,
    category: input.category,
    description: input.description,
    email: input.email,
    phone: input.phone,
    website: input.website,
    logo_file_id: input.logoFileId,
    address: input.address,
    area: input.area,
    country_code: input.countryCode,
    lat,
    lng,
    private_address: input.privateAddress,
    time_zone: zoneOf(lat, lng),
    currency: currencyOf(input.countryCode ?? before.country_code),
    updated_at: scope.clock.now(),
  });
  if (!changed) throw new AppError('business/stale');
  if (input.name !== undefined && input.name !== before.name)
    await renameBusinessInJobs(tx, businessId, input.name);
  if (
    input.legalName !== undefined &&
    input.legalName !== before.legal_name &&
    nextBusinessStatus(before.status, 'rename', 'M') !== null
  )
    await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'rename');
  return memberView(tx, businessId, accountId);
}

/** @throws business/not-found where the account is no member */
export async function memberView(db: Db, businessId: string, accountId: string): Promise<Business> {
  const row = await findBusiness(db, businessId, accountId);
  if (!row?.role) throw new AppError('business/not-found');
  return toBusiness(row);
}

/** A country that pays in a currency outside `money.ts` gets the euro, the platform's own; the merchant sees it before the first job. */
export function currencyOf(countryCode: string): Currency {
  const own: string | undefined = countryToCurrency[countryCode as keyof typeof countryToCurrency];
  return own !== undefined && own in currencyDigits ? (own as Currency) : 'EUR';
}

function toBusiness(row: CountedBusiness): Business {
  if (row.role === null) throw new AppError('business/not-found');
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    role: row.role,
    actions: businessActionsFor(row.role, row.status),
    name: row.name,
    legalName: row.legal_name,
    registrationNumber: row.registration_number,
    category: row.category as CategoryId,
    description: row.description,
    email: row.email,
    phone: row.phone,
    website: row.website,
    logo: row.logo && { ...row.logo, purpose: 'logo', path: fileContentPath(row.logo.id) },
    address: row.address,
    area: row.area,
    countryCode: row.country_code,
    lat: row.lat,
    lng: row.lng,
    privateAddress: row.private_address,
    timeZone: row.time_zone,
    currency: row.currency as Currency,
    openJobs: row.open_jobs,
    newApplicants: row.new_applicants,
    createdAt: row.created_at.toISOString(),
  };
}
