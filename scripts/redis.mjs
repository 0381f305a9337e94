// @ts-check
import { existsSync } from 'node:fs';
import { capture, step } from './steps.mjs';

/** Finds Redis or installs Debian's package; without it, tests that need it are skipped. */
export async function ensureRedis() {
  if (await hasRedis()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    await step("Installing Debian's Redis", installFromDebian);
  if (!(await hasRedis()))
    console.warn(
      'SKIPPED: redis-server is missing, so signals over Redis are not tested. Install it and run this again.',
    );
}

async function hasRedis() {
  const answer = await capture('redis-server', ['--version']).catch(() => null);
  return answer?.code === 0;
}

async function installFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await capture('apt-get', ['update'], { env });
  return capture('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server'], { env });
}
