import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readFirebaseHash, readOwnHash } from '../../platform/passwords/password-hashes.ts';
import { type AccountInFile, socialProviders } from './accounts-file.ts';
import { findAccountsToMove, type MovedAccount } from './accounts-move.sql.ts';
import { upsertIdentity } from './firebase-identities.sql.ts';

const pageSize = 1_000;

/** One import at Firebase takes hashes of one kind. */
export type HashKind = 'own' | 'firebase';

/**
 * Every account in Firebase's format, page by page, with the kind of its hash. Each is linked to the Firebase id that it gets in the file,
 * so that its first sign-in there opens it (ADR 224). Repeating it gives the same ids.
 */
export async function* exportAccounts(
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
): AsyncGenerator<{ kind: HashKind; account: AccountInFile }[]> {
  let after: string | null = null;
  while (true) {
    const page = await findAccountsToMove(db, after, pageSize);
    if (page.length === 0) return;
    await db.transaction().execute(async (tx) => {
      for (const { id, uid, email, password } of page)
        if (uid === null)
          await upsertIdentity(tx, {
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
  const own = password === null || firebase ? null : readOwnHash(password);
  const account = {
    localId: row.uid ?? row.id,
    email: row.email,
    emailVerified: row.emailVerified,
    ...(own ? { passwordHash: own.hash.toString('base64'), salt: own.salt.toString('base64') } : {}),
    ...(firebase ? { passwordHash: firebase.hash, salt: firebase.salt } : {}),
    ...(row.name === '' ? {} : { displayName: row.name }),
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

const firebaseName = (ours: string): string =>
  Object.entries(socialProviders).find(([, own]) => own === ours)?.[0] ?? ours;
