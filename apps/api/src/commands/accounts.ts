import '../register-hooks.ts';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { accountsFile, exportAccounts, type HashKind } from '../people/firebase-sign-in/accounts-export.ts';
import { type ImportCount, importAccounts } from '../people/firebase-sign-in/accounts-import.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import type { Db } from '../platform/db.ts';
import { isOwnSalt, ownHashing } from '../platform/passwords/password-hashes.ts';
import { errorText, StartRefusedError } from '../platform/start-refused.ts';
import { runCommand, withDatabase } from './run-command.ts';

const usage = `Moves accounts between the built-in sign-in and Firebase Authentication (docs/identity.md).

  npm run accounts -- export FILE.json   every account, for \`firebase auth:import\`
  npm run accounts -- import FILE.json   passwords from a file of \`firebase auth:export\`
`;

const clock = systemClock;
const print = (message: string) => void process.stdout.write(`${message}\n`);

async function moveAccounts(): Promise<void> {
  const [command, file = '', ...more] = process.argv.slice(2);
  if ((command !== 'export' && command !== 'import') || !file.endsWith('.json') || more.length > 0)
    throw new StartRefusedError(usage);
  const config = readConfig(process.env);
  const at = path.resolve(process.env.INIT_CWD ?? process.cwd(), file);
  if (command === 'export') await withDatabase(config, (db) => exportTo(db, at));
  else await importFrom(config, at);
}

/** Creates the accounts file, readable only by its owner because it contains password hashes. */
async function openFile(name: string) {
  const handle: FileHandle = await open(name, 'wx', 0o600).catch((error: unknown) => {
    throw new StartRefusedError(`${name} can't be written: ${errorText(error)}.`);
  });
  let count = 0;
  return {
    name,
    count: () => count,
    async add(account: object) {
      await handle.write(`${count === 0 ? '{"users": [' : ','}\n${JSON.stringify(account)}`);
      count += 1;
    },
    async close() {
      await handle.write(count === 0 ? '{"users": []}\n' : '\n]}\n');
      await handle.close();
    },
  };
}

type OpenFile = Awaited<ReturnType<typeof openFile>>;

async function exportTo(db: Db, name: string): Promise<void> {
  const names = { own: name, firebase: name.replace(/\.json$/, '-of-firebase.json') };
  const files: Partial<Record<HashKind, OpenFile>> = { own: await openFile(names.own) };
  for await (const page of exportAccounts(db, { clock }))
    for (const { kind, account } of page) {
      const file = files[kind] ?? (await openFile(names[kind]));
      files[kind] = file;
      await file.add(account);
    }
  await files.own?.close();
  await files.firebase?.close();
  const { memoryCost, blockSize, parallelization, keyBytes } = ownHashing;
  print(`Accounts in ${name}: ${files.own?.count() ?? 0}. Import them with

  firebase auth:import ${name} --hash-algo=STANDARD_SCRYPT --mem-cost=${memoryCost} --block-size=${blockSize} --parallelization=${parallelization} --dk-len=${keyBytes}
`);
  if (files.firebase)
    print(`Accounts in ${names.firebase}, whose passwords came from Firebase: ${files.firebase.count()}. Import them with --hash-algo=SCRYPT
and the values of FIREBASE_HASH_CONFIG (--hash-key, --salt-separator, --rounds, --mem-cost).
`);
  print('Delete the files afterwards: they hold the hashes of all passwords.');
}

async function importFrom(config: Config, name: string): Promise<void> {
  if (!config.FIREBASE_HASH_CONFIG)
    throw new StartRefusedError(
      'FIREBASE_HASH_CONFIG is missing. The console shows it under Authentication, Users, the three dots, “Password hash parameters”.',
    );
  const accounts = await readAccounts(name);
  if (accounts.some(({ salt = '' }) => isOwnSalt(salt)))
    throw new StartRefusedError(
      `${name} was exported by this server: its passwords are here. Import a file of \`firebase auth:export\`.`,
    );
  const count = await withDatabase(config, (db) => importAccounts(db, { clock, config }, accounts));
  for (const [kind, words] of Object.entries(outcomes)) {
    const rowCount = count[kind as keyof ImportCount];
    if (rowCount > 0) print(`${rowCount} ${words}`);
  }
}

const outcomes: Record<keyof ImportCount, string> = {
  passwords: 'sign in here with their password of Firebase.',
  unchanged: 'had no password there, or never used it there; what they have here stays.',
  unreadable: 'have a hash that does not fit FIREBASE_HASH_CONFIG, and keep what they have here.',
  disabled: 'were disabled there, and now are here.',
  unknown: 'never signed in to this server, and were left out.',
  taken: 'used a Google, Facebook or Apple account there that another account has here.',
};

async function readAccounts(name: string) {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(name, 'utf8'));
  } catch (error) {
    throw new StartRefusedError(`${name} can't be read as JSON: ${errorText(error)}.`);
  }
  const parsed = accountsFile.safeParse(content);
  if (parsed.success) return parsed.data.users;
  const [issue] = parsed.error.issues;
  throw new StartRefusedError(
    `${name} is no file of \`firebase auth:export\`: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}

await runCommand(moveAccounts);
