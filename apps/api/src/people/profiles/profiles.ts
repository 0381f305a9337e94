import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Point } from '@nearhand/contract/people/places';
import type { Findable } from '@nearhand/contract/people/profile-choices';
import {
  type Availability,
  type Profile,
  type ProfileInput,
  profiles,
  type SpokenLanguage,
  type WorkerCard,
  type WorkerSkill,
} from '@nearhand/contract/people/profiles';
import { ratingOf, type StarCounts } from '@nearhand/contract/people/rating.rules';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { renameAccount } from '../accounts/accounts.ts';
import { findOwnFile } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';
import { requireRecentProof } from '../sign-in/credentials.ts';
import { workerChecks } from '../verification/worker-checks.columns.ts';

/** The caller's profile, at version 1 if never saved. Needs no verified email. */
async function myProfile(db: Db, { actor }: Scope): Promise<Profile> {
  const row = await findProfile(db, actor.accountId);
  if (!row) throw new AppError('session/expired');
  const file = (fileId: string | null, purpose: 'photo' | 'cv') =>
    fileId === null ? null : findOwnFile(db, actor.accountId, fileId, purpose);
  return {
    accountId: row.id,
    version: row.version ?? 1,
    name: row.name,
    phone: row.phone,
    home:
      row.homeLabel === null || row.homeLat === null || row.homeLng === null
        ? null
        : { label: row.homeLabel, lat: row.homeLat, lng: row.homeLng },
    findable: row.findable ?? 'off',
    photo: await file(row.photoFileId, 'photo'),
    cv: await file(row.cvFileId, 'cv'),
    ...sharedFacts(row),
  };
}

/** Saves the given fields if `version` is current. Replacing a phone number needs a recent proof (ADR 14). */
export async function saveProfile(
  tx: Tx,
  scope: Scope,
  input: ProfileInput & { version?: number },
): Promise<Profile> {
  const { accountId } = scope.actor;
  const { version: expected, name, ...rest } = input;
  const now = scope.clock.now();
  const { version, phone } = await lockProfile(tx, accountId, now);
  if (expected !== undefined && expected !== version) throw new AppError('profile/stale', { version });
  if (rest.phone !== undefined && phone !== null && rest.phone !== phone) await requireRecentProof(tx, scope);
  if (rest.photoFileId) await findOwnFile(tx, accountId, rest.photoFileId, 'photo');
  if (rest.cvFileId) await findOwnFile(tx, accountId, rest.cvFileId, 'cv');
  if (name !== undefined) await renameAccount(tx, scope, accountId, name);
  if (name !== undefined || touchesProfile(rest))
    await updateProfile(tx, accountId, columnsOf(rest), version + 1, now);
  if (rest.skills !== undefined || rest.availability !== undefined || rest.home !== undefined)
    await peopleHooks.on.workerChanged(tx, accountId);
  return myProfile(tx, scope);
}

/** A worker without exact home, phone or email, for recruiters they applied to. */
export async function workerProfile(
  db: Db,
  { actor }: Scope,
  input: { workerId: string },
): Promise<WorkerCard> {
  if (!(await isApplicantOf(db, input.workerId, actor.accountId))) throw new AppError('profile/not-found');
  const worker = (await workersById(db, [input.workerId])).get(input.workerId);
  if (!worker) throw new AppError('profile/not-found');
  return worker.card;
}

/** Cards for slices that have checked access. `home` is for distances and must not leave the server. */
export async function workersById(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, { card: WorkerCard; home: Point | null }>> {
  const rows = await findProfiles(db, accountIds);
  return new Map(
    rows.map((row) => {
      const card: WorkerCard = {
        workerId: row.id,
        name: row.name,
        photoPath: row.photoFileId === null ? null : fileContentPath(row.photoFileId),
        area: areaOf(row.homeLabel),
        rating: ratingOf(row.reviewStars ?? []),
        ...sharedFacts(row),
        checks: row.checks,
      };
      const home =
        row.homeLat === null || row.homeLng === null ? null : { lat: row.homeLat, lng: row.homeLng };
      return [row.id, { card, home }];
    }),
  );
}

const sharedFacts = (row: ProfileRow) => ({
  bio: row.bio ?? '',
  languages: (row.languages ?? []) as Profile['languages'],
  availability: (row.availability ?? []) as Profile['availability'],
  weekHoursMax: row.weekHoursMax,
  skills: (row.skills ?? []) as Profile['skills'],
});

function columnsOf(input: Omit<ProfileInput, 'name'>): ProfileColumns {
  const { home, phone, bio, languages, availability, weekHoursMax, skills, findable, photoFileId, cvFileId } =
    input;
  const homeColumns =
    home === undefined
      ? undefined
      : {
          homeLabel: home?.label ?? null,
          homeLat: home?.lat ?? null,
          homeLng: home?.lng ?? null,
          homeCountry: home?.countryCode ?? null,
        };
  return {
    phone,
    bio,
    ...homeColumns,
    languages: languages === undefined ? undefined : JSON.stringify(cleanLanguages(languages)),
    availability: availability === undefined ? undefined : JSON.stringify(cleanAvailability(availability)),
    weekHoursMax,
    skills: skills === undefined ? undefined : JSON.stringify(cleanSkills(skills)),
    findable,
    photoFileId,
    cvFileId,
  };
}

const lastOfEach = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** Keeps the last entry of each skill. */
export const cleanSkills = (skills: readonly WorkerSkill[]): WorkerSkill[] =>
  lastOfEach(skills, (skill) => skill.skill);

/** Keeps the last entry of each language. */
export const cleanLanguages = (languages: readonly SpokenLanguage[]): SpokenLanguage[] =>
  lastOfEach(languages, (language) => language.code);

/** Keeps the last entry of each part of the week. */
export const cleanAvailability = (parts: Availability): Availability =>
  lastOfEach(parts, (part) => `${part.day} ${part.part}`);

/** Hides addresses and postcodes: labels with a number are cut to the last part without one. */
export function areaOf(label: string | null): string | null {
  if (label === null) return null;
  const parts = label
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const plain = parts.filter((part) => !/\p{N}/u.test(part));
  if (plain.length === parts.length && parts.length <= 2) return plain.join(', ') || null;
  return plain.at(-1) ?? null;
}

const touchesProfile = (input: ProfileInput): boolean =>
  Object.entries(input).some(([name, value]) => name !== 'name' && value !== undefined);

type ProfileColumns = {
  phone?: string | null;
  bio?: string;
  homeLabel?: string | null;
  homeLat?: number | null;
  homeLng?: number | null;
  homeCountry?: string | null;
  languages?: string;
  availability?: string;
  weekHoursMax?: number | null;
  skills?: string;
  findable?: Findable;
  photoFileId?: string | null;
  cvFileId?: string | null;
};

async function findProfile(db: Db, accountId: string) {
  return withProfile(db).where('accounts.id', '=', accountId).executeTakeFirst();
}

const withProfile = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
    .select(['accounts.id', 'name', 'version', 'phone', 'bio', 'homeLabel', 'homeLat', 'homeLng'])
    .select([
      'languages',
      'availability',
      'weekHoursMax',
      'skills',
      'findable',
      'photoFileId',
      'cvFileId',
      'reviewStars',
    ])
    .select(workerChecks('accounts.id', 'accounts.name', 'profiles.phone').as('checks'));

type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

async function findProfiles(db: Db, accountIds: readonly string[]): Promise<ProfileRow[]> {
  if (accountIds.length === 0) return [];
  return withProfile(db)
    .where('accounts.id', 'in', [...accountIds])
    .execute();
}

/** Inserts the row if missing and locks it, which serializes two first saves. */
async function lockProfile(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ version: number; phone: string | null }> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('profiles')
    .values({ accountId, updatedAt: now })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  return tx
    .selectFrom('profiles')
    .select(['version', 'phone'])
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function updateProfile(
  tx: Tx,
  accountId: string,
  change: ProfileColumns,
  version: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ ...change, version, updatedAt: now })
    .where('accountId', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/** Returns true for recruiters with a live application of this worker, whose account still exists. */
async function isApplicantOf(db: Db, workerId: string, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('job_members', 'job_members.jobId', 'applications.jobId')
    .select('applications.id')
    .where('workerId', '=', workerId)
    .where('applications.status', '<>', 'withdrawn')
    .where('job_members.accountId', '=', memberId)
    .where('role', 'in', rolesFor('applicants'))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_deletions')
            .select('id')
            .where('accountId', '=', workerId)
            .where('status', '<>', 'undone'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Part of account removal. */
export async function clearProfile(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('profiles')
    .set((eb) => ({
      phone: null,
      bio: '',
      homeLabel: null,
      homeLat: null,
      homeLng: null,
      homeCountry: null,
      languages: '[]',
      availability: '[]',
      weekHoursMax: null,
      skills: '[]',
      findable: 'off',
      photoFileId: null,
      cvFileId: null,
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('accountId', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/**
 * Counts a published review of a worker, or subtracts a removed one (ADR 171). The version is unchanged,
 * because stars are not edited.
 */
export async function addToWorkerRating(
  tx: Tx,
  workerId: string,
  { stars, by, at }: { stars: number; by: 1 | -1; at: Date },
): Promise<void> {
  await lockProfile(tx, workerId, at);
  await sql`update profiles set review_stars[${stars}::integer] = review_stars[${stars}::integer] + ${by}::integer
    where account_id = ${workerId}`.execute(tx);
  emitRecord(tx, 'profile', { id: workerId, workerId });
}

export async function workerStarCounts(db: Db, accountId: string): Promise<StarCounts> {
  const row = await db
    .selectFrom('profiles')
    .select('reviewStars')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.reviewStars ?? [];
}

export const profilesRoutes = {
  mine: read(profiles.mine, myProfile),
  save: write(profiles.save, saveProfile),
  worker: read(profiles.worker, workerProfile),
};
