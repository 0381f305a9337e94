import { recruiterRoles } from '@nearhand/contract/operation';
import { sql } from 'kysely';

/** For `role in ${recruiters}`: inlined as literals. */
export const recruiters = sql`(${sql.join(recruiterRoles.map((role) => sql.lit(role)))})`;
