import { cleanTags } from '@nearhand/contract/hiring/tags.rules';
import { requireRecruiter } from '../../people/businesses/members.service.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireApplicant } from '../applications/application-access.service.ts';
import { findTags, replaceTags } from './tags.sql.ts';

const maxTags = 50;

/** Sets exactly these tags on an applicant; shared by the business's recruiters. @throws application/not-found, application/not-allowed */
export async function setTags(
  tx: Tx,
  { actor }: Scope,
  { applicationId, tags }: { applicationId: string; tags: string[] },
): Promise<{ tags: string[] }> {
  const { businessId, jobId } = await requireApplicant(tx, actor.accountId, applicationId);
  const clean = cleanTags(tags);
  await replaceTags(tx, { applicationId, businessId, jobId }, clean);
  return { tags: clean };
}

/** Tags in use at a business, most used first, at most 50. @throws business/not-found, business/not-allowed */
export async function listTags(
  db: Db,
  { actor }: Scope,
  { businessId }: { businessId: string },
): Promise<{ tag: string; count: number }[]> {
  return findTags(db, businessId, await requireRecruiter(db, actor, businessId), maxTags);
}

/** For an account that is removed (ADR 160). */
export { forgetTags } from './tags.sql.ts';
