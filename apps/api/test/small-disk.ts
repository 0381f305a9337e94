import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Only root on Linux can mount one, outside closed containers. */
export const canMount = (() => {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  const folder = mkdtempSync(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();

export async function onSmallDisk(
  folder: string,
  megabytes: number,
  work: () => Promise<void>,
): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
  try {
    await work();
  } finally {
    execFileSync('umount', ['--lazy', folder]);
  }
}
