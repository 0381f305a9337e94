import type { Currency } from '@nearhand/contract/money';
import type { MemberRole } from '@nearhand/contract/operation';
import {
  type Business,
  type BusinessAction,
  type BusinessInput,
  type BusinessStatus,
  businessActions,
  type PublicBusiness,
} from '@nearhand/contract/people/businesses';
import { businessCurrency } from '@nearhand/contract/people/country-currency.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { type Capability, roleMay } from '@nearhand/contract/people/team.rules';
import zoneOf from '@photostructure/tz-lookup';
import { AppError } from '../../platform/app-error.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { findOwnFile } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';
import {
  type CountedBusiness,
  countUnverifiedOwned,
  findBusiness,
  findBusinessesOf,
  hasJobs,
  insertBusiness,
  lockBusiness,
  lockRegistrations,
  moveBusiness,
  updateBusinessVersion,
} from './business-transitions.ts';
import { isPublic, mayBeEdited, mayHire, nextBusinessStatus } from './businesses.rules.ts';
import { insertMember } from './members.sql.ts';
import { requireRole } from './members.ts';

/**
 * Registers a draft business owned by the caller; any verified account may. The time zone follows from the place, the currency
 * from the country. `BUSINESSES_WHILE_UNVERIFIED` caps unverified businesses, or open job limits would mean nothing (ADR 125).
 * @throws business/too-many (data: limit), file/not-found, file/wrong-type for a picture that isn't the caller's
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
  if (input.coverFileId) await findOwnFile(tx, accountId, input.coverFileId, 'photo');
  await insertBusiness(tx, {
    id: businessId,
    status: 'draft',
    name: input.name,
    legalName: input.legalName,
    registrationNumber: input.registrationNumber,
    category: input.category,
    description: input.description,
    email: input.email,
    phone: input.phone,
    website: input.website,
    logoFileId: input.logoFileId,
    coverFileId: input.coverFileId ?? null,
    address: input.address,
    area: input.area,
    countryCode: input.countryCode,
    lat: input.lat,
    lng: input.lng,
    privateAddress: input.privateAddress,
    timeZone: zoneOf(input.lat, input.lng),
    currency: businessCurrency(input.countryCode),
    createdAt: now,
    updatedAt: now,
  });
  await insertMember(tx, {
    businessId,
    accountId,
    role: 'owner',
    createdAt: now,
  });
  return memberView(tx, businessId, accountId);
}

/** The businesses the caller is a member of, by name; at most 100. */
export async function myBusinesses(db: Db, scope: Scope): Promise<Business[]> {
  const rows = await findBusinessesOf(db, scope.actor.accountId);
  return rows.map(toBusiness);
}

/** One business, for its members. @throws business/not-found */
export async function getBusiness(db: Db, scope: Scope, input: { businessId: string }): Promise<Business> {
  return memberView(db, input.businessId, scope.actor.accountId);
}

/** For other slices: whether strangers see a business in this status. */
export const isPublicBusiness = isPublic;

/** The public view of a business. @throws business/not-found also for a rejected, suspended or closed one */
export async function businessProfile(
  db: ReadDb,
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
    coverPath: row.cover && fileContentPath(row.cover.id),
    website: row.website,
    openJobs: row.openJobs,
    memberSince: row.createdAt.toISOString(),
    rating: ratingOf(row.reviewStars),
  };
}

/**
 * Edits a business; managers and owners only. A new legal name sends a verified business back to verification. Absent fields
 * stay; existing jobs keep their place and currency.
 * @throws business/not-found, business/not-allowed, business/stale, business/wrong-state, business/currency-fixed, file/not-found, file/wrong-type
 */
export async function updateBusiness(
  tx: Tx,
  scope: Scope,
  { businessId, version, ...input }: Partial<BusinessInput> & { businessId: string; version: number },
): Promise<Business> {
  const { accountId } = scope.actor;
  await requireRole(tx, businessId, accountId, 'manager');
  const before = await lockBusiness(tx, businessId);
  if (!before) throw new AppError('business/not-found');
  if (!mayBeEdited(before.status)) throw new AppError('business/wrong-state', { status: before.status });
  if (before.version !== version) throw new AppError('business/stale', { version: before.version });
  if (input.logoFileId && input.logoFileId !== before.logoFileId)
    await findOwnFile(tx, accountId, input.logoFileId, 'logo');
  if (input.coverFileId && input.coverFileId !== before.coverFileId)
    await findOwnFile(tx, accountId, input.coverFileId, 'photo');
  if (input.countryCode !== undefined) await requireFreeCurrency(tx, before, input.countryCode);
  const lat = input.lat ?? before.lat;
  const lng = input.lng ?? before.lng;
  const changed = await updateBusinessVersion(tx, businessId, version, {
    name: input.name,
    legalName: input.legalName,
    registrationNumber: input.registrationNumber,
    category: input.category,
    description: input.description,
    email: input.email,
    phone: input.phone,
    website: input.website,
    logoFileId: input.logoFileId,
    coverFileId: input.coverFileId,
    address: input.address,
    area: input.area,
    countryCode: input.countryCode,
    lat,
    lng,
    privateAddress: input.privateAddress,
    timeZone: zoneOf(lat, lng),
    currency: input.countryCode === undefined ? undefined : businessCurrency(input.countryCode),
    updatedAt: scope.clock.now(),
  });
  if (!changed) throw new AppError('business/stale');
  if (input.name !== undefined && input.name !== before.name)
    await peopleHooks.on.businessRenamed(tx, { id: businessId, name: input.name });
  if (
    input.legalName !== undefined &&
    input.legalName !== before.legalName &&
    nextBusinessStatus(before.status, 'rename', 'M') !== null
  )
    await moveBusiness(tx, { id: accountId, as: 'M' }, scope.clock.now(), businessId, 'rename');
  return memberView(tx, businessId, accountId);
}

/** @throws business/not-found for a non-member */
export async function memberView(db: Db, businessId: string, accountId: string): Promise<Business> {
  const row = await findBusiness(db, businessId, accountId);
  if (!row?.role) throw new AppError('business/not-found');
  return toBusiness(row);
}

/** A business pays in one currency: it can change until there are jobs or money in it. @throws business/currency-fixed (data: currency) */
async function requireFreeCurrency(
  tx: Tx,
  before: { id: string; currency: string },
  countryCode: string,
): Promise<void> {
  if (businessCurrency(countryCode) === before.currency) return;
  const { hasMoney } = await peopleHooks.on.businessClosing(tx, before.id);
  if (hasMoney || (await hasJobs(tx, before.id)))
    throw new AppError('business/currency-fixed', { currency: before.currency as Currency });
}

function toBusiness({ role, ...row }: CountedBusiness): Business {
  if (role === null) throw new AppError('business/not-found');
  return {
    ...row,
    role,
    actions: businessActionsFor(role, row.status),
    category: row.category as CategoryId,
    logo: row.logo && { ...row.logo, purpose: 'logo', path: fileContentPath(row.logo.id) },
    cover: row.cover && { ...row.cover, purpose: 'photo', path: fileContentPath(row.cover.id) },
    currency: row.currency as Currency,
    rating: ratingOf(row.reviewStars),
    createdAt: row.createdAt.toISOString(),
  };
}

const needed: Record<BusinessAction, Capability> = {
  edit: 'details',
  submit: 'ownership',
  close: 'ownership',
  'create-job': 'jobs',
};

/** Whether this role may ever do this, in any status. */
const canBusiness = (role: MemberRole, action: BusinessAction): boolean => roleMay(role, needed[action]);

/** What a member can do now, by role and status, without repeats. */
function businessActionsFor(role: MemberRole, status: BusinessStatus): BusinessAction[] {
  const possible: Record<BusinessAction, boolean> = {
    edit: mayBeEdited(status),
    submit: status !== 'submitted' && nextBusinessStatus(status, 'submit', 'M') !== null,
    close: status !== 'closed' && nextBusinessStatus(status, 'close', 'M') !== null,
    'create-job': mayHire(status),
  };
  return businessActions.filter((action) => possible[action] && canBusiness(role, action));
}
