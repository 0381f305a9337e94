import { rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';

/** For `role in ${recruiters}`: inlined as literals. */
export const recruiters = sql`(${sql.join(rolesFor('applicants').map((role) => sql.lit(role)))})`;
