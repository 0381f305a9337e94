import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { readFirebaseHash, readOwnHash } from '../../platform/passwords/password-hashes.ts';
import { upsertFirebaseIdentity } from './firebase-identities.ts';

const pageSize = 1_000;

/** Firebase imports hashes of one kind at a time. */
export type HashKind = 'own' | 'firebase';

/** Links each account to its exported id, so that its first sign-in there opens it (ADR 224). Idempotent. */
export async function* exportAccounts(
  db: Db,
  { clock }: ClockScope,
): AsyncGenerator<{ kind: HashKind; account: AccountInFile }[]> {
  let after: string | null = null;
  while (true) {
    const page = await findAccountsToMove(db, after, pageSize);
    if (page.length === 0) return;
    await db.transaction().execute(async (tx) => {
      for (const { id, uid, email, password } of page)
        if (uid === null)
          await upsertFirebaseIdentity(tx, {
            uid: id,
            accountId: id,
            email,
            hasPassword: password !== null,
            now: clock.now(),
          });
    });
    yield page.map(inFile);
    after = page.at(-1)?.id ?? null;
  }
}

function inFile(row: MovedAccount): { kind: HashKind; account: AccountInFile } {
  const { password } = row;
  const firebase = password === null ? null : readFirebaseHash(password);
  const passwordHash = password === null || firebase ? null : readOwnHash(password);
  const account = {
    localId: row.uid ?? row.id,
    email: row.email,
    emailVerified: row.emailVerified,
    passwordHash: firebase?.hash ?? passwordHash?.hash.toString('base64'),
    salt: firebase?.salt ?? passwordHash?.salt.toString('base64'),
    displayName: row.name || undefined,
    createdAt: String(row.createdAt.getTime()),
    disabled: row.disabled,
    providerUserInfo: row.social.map(({ provider, subject }) => ({
      providerId: firebaseName(provider),
      rawId: subject,
      email: row.email,
    })),
  };
  return { kind: firebase ? 'firebase' : 'own', account };
}

const firebaseName = (provider: string): string =>
  Object.entries(socialProviders).find(([, own]) => own === provider)?.[0] ?? provider;

const base64 = z.string().regex(/^[\w+/=-]*$/, 'base64');

/** Providers known to both sides, by Firebase's name. */
export const socialProviders = {
  'google.com': 'google',
  'facebook.com': 'facebook',
  'apple.com': 'apple',
} as const;

/** An account in the JSON of `firebase auth:export` and `auth:import`, without unused fields. */
const accountInFile = z.object({
  localId: z.string().min(1).max(128),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  passwordHash: base64.optional().catch(undefined),
  salt: base64.optional().catch(undefined),
  displayName: z.string().optional(),
  createdAt: z.string().optional(),
  disabled: z.boolean().optional(),
  providerUserInfo: z
    .array(
      z.object({ providerId: z.string(), rawId: z.string(), email: z.string().optional() }).partial({
        rawId: true,
      }),
    )
    .optional(),
});

export type AccountInFile = z.output<typeof accountInFile>;

export const accountsFile = z.object({ users: z.array(accountInFile) });

type MovedAccount = {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  disabled: boolean;
  createdAt: Date;
  password: string | null;
  uid: string | null;
  social: { provider: string; subject: string }[];
};

async function findAccountsToMove(db: Db, after: string | null, limit: number): Promise<MovedAccount[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('firebase_identities', 'firebase_identities.accountId', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'firebase_identities.uid'])
    .select(['accounts.emailVerified', 'accounts.createdAt'])
    .select(sql<boolean>`accounts.disabled_at is not null`.as('disabled'))
    .select((eb) => [
      eb
        .selectFrom('credentials')
        .select('password')
        .whereRef('credentials.accountId', '=', 'accounts.id')
        .where('providerId', '=', 'credential')
        .as('password'),
      sql<{ provider: string; subject: string }[]>`coalesce((
        select json_agg(json_build_object('provider', provider_id, 'subject', subject) order by provider_id)
        from credentials where account_id = accounts.id and provider_id in ('google', 'facebook', 'apple')
      ), '[]')`.as('social'),
    ])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_deletions')
            .select('account_deletions.id')
            .whereRef('account_deletions.accountId', '=', 'accounts.id')
            .where('status', '=', 'removed'),
        ),
      ),
    )
    .$if(after !== null, (query) => query.where('accounts.id', '>', after ?? ''))
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}
