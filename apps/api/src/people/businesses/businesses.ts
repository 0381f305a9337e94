import type { Currency } from '@nearhand/contract/currencies';
import type { MemberRole } from '@nearhand/contract/member-roles';
import {
  type Business,
  type BusinessAction,
  type BusinessInput,
  businessActions,
  type PublicBusiness,
} from '@nearhand/contract/people/businesses';
import { type BusinessStatus, mayHire } from '@nearhand/contract/people/businesses.rules';
import { type CompanyFacts, companyProblems, vatIdOf } from '@nearhand/contract/people/company-facts.rules';
import { businessCurrency } from '@nearhand/contract/people/country-currency.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { type Capability, roleMay } from '@nearhand/contract/people/team.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { findOwnFile } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';
import { zoneAt } from '../places/time-zones.ts';
import { moveBusiness } from './business-transitions.ts';
import { isEditableBusiness, isPending, nextBusinessStatus } from './businesses.rules.ts';
import {
  type CountedBusiness,
  countUnverifiedOwned,
  findBusiness,
  findBusinessesOf,
  findSharedRegistrations,
  hasJobs,
  insertBusiness,
  lockBusiness,
  lockRegistrations,
  updateBusinessVersion,
} from './businesses.sql.ts';
import {
  deleteMember,
  findMember,
  findMembers,
  findMembersAt,
  findRole,
  insertMember,
  updateMemberRole,
} from './members.sql.ts';
import { checkVatIdSoon } from './vat-ids.ts';

/** Registers a draft business. The cap on unverified ones keeps open job limits effective (ADR 125). */
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
  const company = companyOf(input);
  await requireFreeRegistration(tx, businessId, company);
  await insertBusiness(tx, {
    id: businessId,
    status: 'draft',
    name: input.name,
    legalName: input.legalName,
    registrationNumber: company.registrationNumber,
    vatId: company.vatId,
    registeredStreet: company.registeredStreet,
    registeredPostcode: company.registeredPostcode,
    registeredTown: company.registeredTown,
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
    timeZone: input.timeZone ?? zoneAt(input, input.countryCode),
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
  await checkVatIdSoon(tx, scope, company.vatId);
  return memberView(tx, businessId, accountId);
}

/** The caller's businesses by name, at most 100. */
export async function myBusinesses(db: Db, scope: Scope): Promise<Business[]> {
  const rows = await findBusinessesOf(db, scope.actor.accountId);
  return rows.map(toBusiness);
}

/** One business, for its members. */
export async function getBusiness(db: Db, scope: Scope, input: { businessId: string }): Promise<Business> {
  return memberView(db, input.businessId, scope.actor.accountId);
}

/** The public profile of a business, readable without a session. Answers 404 unless the business may hire. */
export async function businessProfile(
  db: ReadDb,
  _scope: Scope<Actor | null>,
  input: { businessId: string },
): Promise<PublicBusiness> {
  const row = await findBusiness(db, input.businessId, null);
  if (!row || !mayHire(row.status)) throw new AppError('business/not-found');
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

/** Edits a business. Managers and owners only. A new legal name requires verification again. */
export async function updateBusiness(
  tx: Tx,
  scope: Scope,
  { businessId, version, ...input }: Partial<BusinessInput> & { businessId: string; version: number },
): Promise<Business> {
  const { accountId } = scope.actor;
  await requireMay(tx, businessId, accountId, 'details');
  const before = await lockBusiness(tx, businessId);
  if (!before) throw new AppError('business/not-found');
  if (!isEditableBusiness(before.status))
    throw new AppError('business/wrong-state', { status: before.status });
  if (before.version !== version) throw new AppError('business/stale', { version: before.version });
  if (input.logoFileId && input.logoFileId !== before.logoFileId)
    await findOwnFile(tx, accountId, input.logoFileId, 'logo');
  if (input.coverFileId && input.coverFileId !== before.coverFileId)
    await findOwnFile(tx, accountId, input.coverFileId, 'photo');
  if (input.countryCode !== undefined) await requireFreeCurrency(tx, scope, before, input.countryCode);
  const lat = input.lat ?? before.lat;
  const lng = input.lng ?? before.lng;
  const countryCode = input.countryCode ?? before.countryCode;
  const hasMoved = lat !== before.lat || lng !== before.lng || countryCode !== before.countryCode;
  // Values from before these checks stay valid until someone changes them.
  const company = companyFields.some((field) => input[field] !== undefined && input[field] !== before[field])
    ? companyOf({ ...before, ...withoutUndefined(input) })
    : undefined;
  if (
    company &&
    (company.registrationNumber !== before.registrationNumber || countryCode !== before.countryCode)
  )
    await requireFreeRegistration(tx, businessId, company);
  const isUpdated = await updateBusinessVersion(tx, businessId, version, {
    name: input.name,
    legalName: input.legalName,
    registrationNumber: company?.registrationNumber,
    vatId: company?.vatId,
    registeredStreet: company?.registeredStreet,
    registeredPostcode: company?.registeredPostcode,
    registeredTown: company?.registeredTown,
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
    timeZone: input.timeZone ?? (hasMoved ? zoneAt({ lat, lng }, countryCode) : undefined),
    currency: input.countryCode === undefined ? undefined : businessCurrency(input.countryCode),
    updatedAt: scope.clock.now(),
  });
  if (!isUpdated) throw new AppError('business/stale');
  if (company && company.vatId !== before.vatId) await checkVatIdSoon(tx, scope, company.vatId);
  if (input.name !== undefined && input.name !== before.name)
    await peopleHooks.on.businessRenamed(tx, { id: businessId, name: input.name });
  if (
    input.legalName !== undefined &&
    input.legalName !== before.legalName &&
    nextBusinessStatus(before.status, 'rename', 'business') !== null
  )
    await moveBusiness(tx, scope, businessId, { action: 'rename', mover: { id: accountId, as: 'business' } });
  return memberView(tx, businessId, accountId);
}

const companyFields = [
  'countryCode',
  'registrationNumber',
  'vatId',
  'registeredStreet',
  'registeredPostcode',
  'registeredTown',
] as const satisfies (keyof CompanyFacts)[];

const withoutUndefined = <Row extends object>(row: Row): Partial<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<Row>;

/**
 * Normalizes legal facts for storage.
 * @throws request/invalid (data: the issues by field)
 */
function companyOf(input: Partial<CompanyFacts> & { countryCode: string }): CompanyFacts {
  const facts: CompanyFacts = {
    countryCode: input.countryCode,
    registrationNumber: input.registrationNumber ?? '',
    vatId: input.vatId ?? '',
    registeredStreet: input.registeredStreet ?? '',
    registeredPostcode: (input.registeredPostcode ?? '').toUpperCase(),
    registeredTown: input.registeredTown ?? '',
  };
  const issues = companyProblems(facts);
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  return { ...facts, vatId: vatIdOf(facts.countryCode, facts.vatId) ?? '' };
}

/** @throws request/invalid at the field if a verified business of the country has the number */
async function requireFreeRegistration(tx: Tx, businessId: string, company: CompanyFacts): Promise<void> {
  const [registration] = await findSharedRegistrations(tx, {
    id: businessId,
    countryCode: company.countryCode,
    registrationNumber: company.registrationNumber,
  });
  if (registration?.status !== 'verified') return;
  const issue = {
    path: 'registrationNumber',
    message: 'a number that no verified business has',
    rule: 'registration-taken',
  } as const;
  throw new AppError('request/invalid', { issues: [issue] });
}

/** @throws business/not-found for a non-member */
export async function memberView(db: Db, businessId: string, accountId: string): Promise<Business> {
  const row = await findBusiness(db, businessId, accountId);
  if (!row?.role) throw new AppError('business/not-found');
  return toBusiness(row);
}

/**
 * The currency is fixed once there are jobs or money.
 * @throws business/currency-fixed (data: currency)
 */
async function requireFreeCurrency(
  tx: Tx,
  scope: ClockScope,
  before: { id: string; currency: Currency },
  countryCode: string,
): Promise<void> {
  if (businessCurrency(countryCode) === before.currency) return;
  const { money } = await peopleHooks.needs.closingObstacles(tx, before.id, scope.clock.now());
  if (money.length > 0 || (await hasJobs(tx, before.id)))
    throw new AppError('business/currency-fixed', { currency: before.currency });
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
    currency: row.currency,
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

const canBusiness = (role: MemberRole, action: BusinessAction): boolean => roleMay(role, needed[action]);

function businessActionsFor(role: MemberRole, status: BusinessStatus): BusinessAction[] {
  const possible: Record<BusinessAction, boolean> = {
    edit: isEditableBusiness(status),
    submit: !isPending(status) && nextBusinessStatus(status, 'submit', 'business') !== null,
    close: status !== 'closed' && nextBusinessStatus(status, 'close', 'business') !== null,
    'create-job': mayHire(status),
  };
  return businessActions.filter((action) => possible[action] && canBusiness(role, action));
}

/**
 * Requires a member who posts jobs and hires.
 * @returns the branches whose jobs they see; null for all
 */
export async function requireBusinessRecruiter(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
): Promise<BranchLimit> {
  const member = await findMember(db, businessId, actor.accountId);
  if (!member) throw new AppError('business/not-found');
  if (!roleMay(member.role, 'jobs')) throw new AppError('business/not-allowed');
  return member.branchIds;
}

/**
 * Requires a recruiter who is not limited to branches.
 * @throws business/not-found, business/not-allowed
 */
export async function requireWholeRecruiter(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
): Promise<void> {
  if ((await requireBusinessRecruiter(db, actor, businessId)) !== null)
    throw new AppError('business/not-allowed');
}

/**
 * Requires a permission. Returns the member's role and the branches they are limited to.
 * @throws business/not-found for a non-member, business/not-allowed
 */
export async function requirePermission(
  db: Db,
  actor: Pick<Actor, 'accountId'>,
  businessId: string,
  capability: Capability,
): Promise<{ role: MemberRole; branchIds: BranchLimit }> {
  const member = await findMember(db, businessId, actor.accountId);
  if (!member) throw new AppError('business/not-found');
  if (!roleMay(member.role, capability)) throw new AppError('business/not-allowed');
  return member;
}

/**
 * Requires a permission.
 * @throws business/not-found for a non-member, business/not-allowed
 */
export async function requireMay(
  db: Db,
  businessId: string,
  accountId: string,
  capability: Capability,
): Promise<MemberRole> {
  const role = await findRole(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  if (!roleMay(role, capability)) throw new AppError('business/not-allowed');
  return role;
}

/** The branches a member is limited to; null for a member without a limit and for a non-member. */
export const branchLimitOf = async (db: Db, businessId: string, accountId: string): Promise<BranchLimit> =>
  (await findMember(db, businessId, accountId))?.branchIds ?? null;

/** Lists the accounts of all members, finance included. */
export const membersOf = async (db: Db, businessId: string): Promise<string[]> =>
  (await findMembers(db, businessId)).map((member) => member.accountId);

/** Accounts whose role has this capability. */
export async function membersWho(db: Db, businessId: string, capability: Capability): Promise<string[]> {
  const members = await findMembers(db, businessId);
  return members.filter(({ role }) => roleMay(role, capability)).map(({ accountId }) => accountId);
}

/** Accounts that may see a job and whose role has this capability. */
export async function membersAt(db: Db, jobId: string, capability: Capability): Promise<string[]> {
  const members = await findMembersAt(db, jobId);
  return members.filter(({ role }) => roleMay(role, capability)).map(({ accountId }) => accountId);
}

export type LockedTeam = {
  businessId: string;
  name: string;
  status: BusinessStatus;
  roles: ReadonlyMap<string, MemberRole>;
  /** Branches that members are limited to; null if there is no limit. */
  limits: ReadonlyMap<string, BranchLimit>;
};

/** Locks a business and reads its members. First in every team change, so two owners can't both leave. */
export async function lockTeam(tx: Tx, businessId: string): Promise<LockedTeam> {
  const business = await lockBusiness(tx, businessId);
  if (!business) throw new AppError('business/not-found');
  const members = await findMembers(tx, businessId);
  return {
    businessId,
    name: business.name,
    status: business.status,
    roles: new Map(members.map(({ accountId, role }) => [accountId, role])),
    limits: new Map(members.map(({ accountId, branchIds }) => [accountId, branchIds])),
  };
}

/** The team must be locked. Adds without an invitation: the caller has checked it. */
export const addMember = (
  tx: Tx,
  { businessId }: LockedTeam,
  member: { accountId: string; role: MemberRole; branchIds: BranchLimit; at: Date },
): Promise<void> =>
  insertMember(tx, {
    businessId,
    accountId: member.accountId,
    role: member.role,
    branchIds: member.branchIds && [...member.branchIds],
    createdAt: member.at,
  });

/**
 * Gives a member another role, or branches. The team must be locked, so that a last owner can't leave.
 * @throws team/member-not-found
 */
export async function assignRole(
  tx: Tx,
  { businessId, roles }: LockedTeam,
  accountId: string,
  to: MemberRole,
  branchIds: BranchLimit = null,
): Promise<void> {
  const from = roles.get(accountId);
  if (from === undefined || !(await updateMemberRole(tx, { businessId, accountId, from, to, branchIds })))
    throw new AppError('team/member-not-found');
}

/** The team must be locked. The caller makes sure that an owner stays. */
export const dropMember = (tx: Tx, { businessId }: LockedTeam, accountId: string): Promise<void> =>
  deleteMember(tx, { businessId, accountId });
