import { recruiterRoles } from '@nearhand/contract/operation';
import { sql } from 'kysely';

/** For `role in ${recruiters}`: the roles stand in the statement itself, as if typed there. */
export const recruiters = sql`(${sql.join(recruiterRoles.map((role) => sql.lit(role)))})`;
