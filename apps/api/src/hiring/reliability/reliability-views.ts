import type { BusinessReliability, WorkerReliability } from '@nearhand/contract/hiring/reliability';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { workerProfile } from '../../people/profiles/profiles.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { businessReliabilityOf, workerReliabilityOf } from './reliability.ts';

/** Returns the caller's reliability as a worker. */
export async function myReliability(db: Db, scope: Scope): Promise<WorkerReliability> {
  return oneWorker(db, scope, scope.actor.accountId);
}

/** A worker's reliability, for owners, managers and recruiters they applied to. @throws profile/not-found */
export async function reliabilityOfWorker(
  db: Db,
  scope: Scope,
  input: { workerId: string },
): Promise<WorkerReliability> {
  await workerProfile(db, scope, input);
  return oneWorker(db, scope, input.workerId);
}

/** Returns a business's reliability. Public. @throws business/not-found */
export async function reliabilityOfBusiness(
  db: Db,
  scope: Scope<Actor | null>,
  input: { businessId: string },
): Promise<BusinessReliability> {
  await businessProfile(db, scope, input);
  return businessReliabilityOf(db, input.businessId, scope.clock.now(), scope.config);
}

async function oneWorker(
  db: Db,
  scope: Pick<Scope, 'clock' | 'config'>,
  workerId: string,
): Promise<WorkerReliability> {
  const workerReliability = await workerReliabilityOf(db, [workerId], scope.clock.now(), scope.config);
  const [own] = workerReliability.values();
  if (!own) throw new Error('a worker without figures');
  return own;
}
