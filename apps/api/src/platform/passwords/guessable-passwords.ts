import { readFile } from 'node:fs/promises';

let common: Promise<ReadonlySet<string>> | undefined;

/** The 10,000 most common passwords in lower case (docs/data-sources.md); read once, by the first who chooses one. */
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const text = await readFile(new URL('guessable-passwords.txt', import.meta.url), 'utf8');
  return new Set(text.split('\n'));
};

/** Whether a password is one of the first that a stranger would try, in any case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommon().catch((error: unknown) => {
    // The next who chooses one reads it again.
    common = undefined;
    throw error;
  });
  return (await common).has(password.toLowerCase());
}
