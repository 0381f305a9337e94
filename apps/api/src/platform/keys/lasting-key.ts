import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../db.ts';
import type { Keys } from '../sign.ts';
import { StartRefusedError } from '../start-refused.ts';
import type { DB } from '../tables.gen.ts';

type Secrets = Pick<Keys, 'secret' | 'others'>;
type Row = { secretId: string; sealed: Buffer };

/** The id of a lock: the word 'keys' in ASCII. */
const openLock = 0x6b657973;
const ivBytes = 12;
const tagBytes = 16;
const idHex = 16;
const deriveKey = (secret: string, purpose: string) => createHmac('sha256', secret).update(purpose).digest();

const idOfSecret = (secret: string): string => deriveKey(secret, 'secret id').toString('hex').slice(0, idHex);

function sealKey(secret: string, key: string): Row {
  const id = idOfSecret(secret);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, 'lasting key'), iv, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(Buffer.from(id));
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  return { secretId: id, sealed: Buffer.concat([iv, cipher.getAuthTag(), body]) };
}

function openKey(secret: string, { sealed: bytes }: Row): string {
  const body = ivBytes + tagBytes;
  const decipher = createDecipheriv(
    'aes-256-gcm',
    deriveKey(secret, 'lasting key'),
    bytes.subarray(0, ivBytes),
    { authTagLength: tagBytes },
  );
  decipher.setAAD(Buffer.from(idOfSecret(secret)));
  decipher.setAuthTag(bytes.subarray(ivBytes, body));
  return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString();
}

const listRows = (db: Kysely<DB>) => db.selectFrom('lasting_keys').select(['secretId', 'sealed']).execute();

function findKey(rows: readonly Row[], { secret, others }: Secrets): string | null {
  if (rows.length === 0) return null;
  for (const candidate of [secret, ...others]) {
    const row = rows.find(({ secretId: id }) => id === idOfSecret(candidate));
    if (row) return openKey(candidate, row);
  }
  throw new StartRefusedError(
    'This database was last opened with another SECRET. Set SECRET to that one, or add that one to OTHER_SECRETS (docs/operations.md, Rotating SECRET).',
  );
}

/**
 * Opens or creates the lasting key, which is SECRET itself if digests already exist without one.
 * @throws StartRefusedError if no secret opens it
 */
export async function openKeys(
  db: Db,
  secrets: Secrets,
  isUsed: (db: Db) => Promise<boolean>,
): Promise<Keys> {
  return db.transaction().execute(async (tx) => {
    // Concurrent starts must end up with one key.
    await sql`select pg_advisory_xact_lock(${openLock})`.execute(tx);
    const rows = await listRows(tx);
    const lasting = findKey(rows, secrets) ?? (await firstKey(secrets, await isUsed(tx)));
    const accepted = [secrets.secret, ...secrets.others];
    const lacking = accepted.filter(
      (candidate) => !rows.some(({ secretId: id }) => id === idOfSecret(candidate)),
    );
    if (lacking.length > 0)
      await tx
        .insertInto('lasting_keys')
        .values(lacking.map((candidate) => sealKey(candidate, lasting)))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await tx.deleteFrom('lasting_keys').where('secretId', 'not in', accepted.map(idOfSecret)).execute();
    return { ...secrets, lasting };
  });
}

async function firstKey({ secret, others }: Secrets, used: boolean): Promise<string> {
  if (!used) return randomBytes(32).toString('hex');
  if (others.length === 0) return secret;
  throw new StartRefusedError(
    'This version keeps its lasting key in the database. Start it once with the SECRET so far and without OTHER_SECRETS; then rotate.',
  );
}

/** Opens the key without changing the database. */
export async function readKeys(db: Db, secrets: Secrets): Promise<Keys> {
  return { ...secrets, lasting: findKey(await listRows(db), secrets) ?? secrets.secret };
}
