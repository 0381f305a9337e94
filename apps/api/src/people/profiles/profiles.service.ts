import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Point } from '@nearhand/contract/people/places';
import type { Profile, ProfileInput, WorkerCard } from '@nearhand/contract/people/profiles';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { renameAccount } from '../accounts/accounts.service.ts';
import { findOwnFile } from '../files/files.service.ts';
import { peopleOutcomes } from '../outcomes.ts';
import { areaOf, cleanAvailability, cleanLanguages, cleanSkills, touchesProfile } from './profiles.rules.ts';
import {
  emptyProfile,
  findProfile,
  findProfiles,
  isApplicantOf,
  lockProfile,
  type ProfileColumns,
  type ProfileRow,
  updateProfile,
} from './profiles.sql.ts';

/** The caller's whole profile; empty at version 1 if nothing was saved. Works before the email is verified. */
export async function myProfile(db: Db, { actor }: Scope): Promise<Profile> {
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
      row.home_label === null || row.home_lat === null || row.home_lng === null
        ? null
        : { label: row.home_label, lat: row.home_lat, lng: row.home_lng },
    photo: await file(row.photo_file_id, 'photo'),
    cv: await file(row.cv_file_id, 'cv'),
    ...sharedFacts(row),
  };
}

/**
 * Saves parts of the caller's profile, also before the email is verified; files can be uploaded only after that (ADR 14). Absent fields stay. With `version`,
 * only if it is still current.
 * @throws profile/stale, file/not-found (also for another's file), file/wrong-type
 */
export async function saveProfile(
  tx: Tx,
  scope: Scope,
  input: ProfileInput & { version?: number | undefined },
): Promise<Profile> {
  const { accountId } = scope.actor;
  const { version: expected, name, ...rest } = input;
  const now = scope.clock.now();
  const { version } = await lockProfile(tx, accountId, now);
  if (expected !== undefined && expected !== version) throw new AppError('profile/stale', { version });
  if (rest.photoFileId) await findOwnFile(tx, accountId, rest.photoFileId, 'photo');
  if (rest.cvFileId) await findOwnFile(tx, accountId, rest.cvFileId, 'cv');
  if (name !== undefined) await renameAccount(tx, scope, accountId, name);
  if (name !== undefined || touchesProfile(rest))
    await updateProfile(tx, accountId, columnsOf(rest), version + 1, now);
  if (rest.skills !== undefined || rest.availability !== undefined || rest.home !== undefined)
    await peopleOutcomes.on.workerChanged(tx, accountId);
  return myProfile(tx, scope);
}

/**
 * A worker as a merchant may see them, without exact home, phone or email. For recruiters of a business that the worker
 * applied to.
 * @throws profile/not-found for everyone else
 */
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

/**
 * Worker cards by account id, for slices that have checked access. `home` is for server-side distances only and must not
 * leave the server.
 */
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
        photoPath: row.photo_file_id === null ? null : fileContentPath(row.photo_file_id),
        area: areaOf(row.home_label),
        rating: ratingOf(row.review_stars ?? []),
        ...sharedFacts(row),
        checks: row.checks,
      };
      const home =
        row.home_lat === null || row.home_lng === null ? null : { lat: row.home_lat, lng: row.home_lng };
      return [row.id, { card, home }];
    }),
  );
}

/** The part of a home label that a merchant may see. */
export const shownArea = (homeLabel: string | null): string | null => areaOf(homeLabel);

const sharedFacts = (row: ProfileRow) => ({
  bio: row.bio ?? '',
  languages: (row.languages ?? []) as Profile['languages'],
  availability: (row.availability ?? []) as Profile['availability'],
  skills: (row.skills ?? []) as Profile['skills'],
});

function columnsOf(input: Omit<ProfileInput, 'name'>): ProfileColumns {
  const { home, phone, bio, languages, availability, skills, photoFileId, cvFileId } = input;
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(bio === undefined ? {} : { bio }),
    ...(home === undefined
      ? {}
      : { home_label: home?.label ?? null, home_lat: home?.lat ?? null, home_lng: home?.lng ?? null }),
    ...(languages === undefined ? {} : { languages: JSON.stringify(cleanLanguages(languages)) }),
    ...(availability === undefined ? {} : { availability: JSON.stringify(cleanAvailability(availability)) }),
    ...(skills === undefined ? {} : { skills: JSON.stringify(cleanSkills(skills)) }),
    ...(photoFileId === undefined ? {} : { photo_file_id: photoFileId }),
    ...(cvFileId === undefined ? {} : { cv_file_id: cvFileId }),
  };
}

/** For an account that is removed: an empty profile. */
export const clearProfile = (tx: Tx, accountId: string, now: Date): Promise<void> =>
  emptyProfile(tx, accountId, now);
