import { rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';

export const recruiters = sql`(${sql.join(rolesFor('applicants').map((role) => sql.lit(role)))})`;
