import { hashPassword } from 'better-auth/crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { findAccountByEmail } from '../features/accounts/accounts.sql.ts';
import type { Db } from '../platform/db.ts';
import type { Mailer } from '../platform/mail.ts';
import { runDueTasks, type Task } from '../platform/tasks.ts';
import { createChance } from './chance.ts';
import { demoAccounts, demoAccountsInWords, demoPassword } from './demo-accounts.ts';
import { seedApplications } from './seed-applications.ts';
import { ownersWanted, seedBusinesses } from './seed-businesses.ts';
import { seedEndings, seedJobs } from './seed-jobs.ts';
import { seedNotices } from './seed-notices.ts';
import { seedPeople } from './seed-people.ts';
import { createTown, type TownParts } from './town.ts';

/** 'demo' in ASCII: of two servers that start on one empty database only one makes the town. */
const demoLock = 0x64656d6f;
const people = 150;
const jobs = 400;
/** Nadia, Leila and Sam. */
const known = 3;

/** Nobody of the town reads mail: what its past would have sent is not sent. */
const silent: Mailer = { send: async () => {} };

type Parts = TownParts & { db: Db; pool: pg.Pool };
// biome-ignore lint/suspicious/noExplicitAny: tasks of all slices, whose payloads differ
type Tasks = readonly Task<any>[];

/**
 * Makes the demo town where the database has no account yet: people, businesses, jobs and applications of the last weeks, all through the services and
 * in one transaction, so that a start cut short leaves nothing behind and the next one makes it again (ADR 0028).
 * @returns whether it was made now
 */
export async function seedDemoTown(
  parts: Parts,
  tasks: Tasks,
  say: (message: string) => void,
): Promise<boolean> {
  if (!(await isEmpty(parts.db))) return false;
  const started = performance.now();
  const passwordHash = await hashPassword(demoPassword);
  const made = await parts.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${demoLock}::bigint)`.execute(tx);
    if (!(await isEmpty(tx))) return null;
    say('Making the demo town: people, businesses, jobs and applications in Amsterdam, once.');
    const town = createTown(parts, tx, createChance(20_261_121), say);
    const residents = await seedPeople(town, passwordHash, {
      owners: ownersWanted,
      workers: people - ownersWanted - known,
    });
    const businesses = await seedBusinesses(town, residents);
    const posted = await seedJobs(town, businesses, jobs);
    await seedApplications(town, residents, posted);
    await seedEndings(town, posted);
    return { chance: town.chance, residents };
  });
  if (made === null) return false;
  // Lives and waits that ended in the town's past end now.
  await runDueTasks(parts.pool, tasks, { ...parts, mailer: silent });
  await parts.db
    .transaction()
    .execute((tx) => seedNotices(createTown(parts, tx, made.chance, say), made.residents));
  say(`The demo town stands (${((performance.now() - started) / 1_000).toFixed(0)} s).`);
  return true;
}

async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** Tells the accounts of the demo town, where it stands. */
export async function sayDemoAccounts(db: Db, say: (message: string) => void): Promise<void> {
  if (await findAccountByEmail(db, demoAccounts.worker.email)) say(demoAccountsInWords);
}
