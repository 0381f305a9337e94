import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** The skills in a worker's profile. */
export async function findSkillsOf(db: Db, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ skill: string }>`
    select skill ->> 'skill' as skill from profiles, jsonb_array_elements(profiles.skills) as skill
    where profiles.account_id = ${workerId}`.execute(db);
  return rows.map((row) => row.skill);
}
