import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const WITH_ALL_LETTERS = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'en_US.utf8'];

/** A system locale in which every script's letters count as letters; plain C if there is none. */
export async function findLocale(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('locale', ['-a']);
    const known = new Set(stdout.split(/\r?\n/).map((line) => line.trim()));
    return WITH_ALL_LETTERS.find((name) => known.has(name)) ?? 'C';
  } catch {
    return 'C';
  }
}
