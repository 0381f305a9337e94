import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import nodemailer from 'nodemailer';
import type { Config } from '../config/config.ts';
import type { FileStore } from '../file-store/file-store.ts';
import { smtpOptions, smtpTimes } from '../mail/mail.ts';
import { errorText, refusedDisk, StartRefusedError } from '../start-refused.ts';

/** @throws StartRefusedError if DATA_DIR is not writable, unless the disk is full, which fails only uploads */
export async function requireWritableFiles(config: Pick<Config, 'DATA_DIR' | 'FILES_S3_URL'>): Promise<void> {
  if (config.FILES_S3_URL) return;
  const folder = path.resolve(config.DATA_DIR, 'files');
  const probe = path.join(folder, `start-check-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'x');
    await rm(probe);
  } catch (error) {
    if (refusedDisk(error, 'stored files') instanceof StartRefusedError) return;
    throw new StartRefusedError(
      `Files cannot be stored in ${folder} (${errorText(error)}); give this user access to it, or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Checks the mail server and bucket.
 * @returns a warning for each failure; the server starts without them
 */
export async function findServiceProblems(
  config: Pick<Config, 'SMTP_URL' | 'FILES_S3_URL'>,
  fileStore: FileStore,
): Promise<string[]> {
  const problems = await Promise.all([
    config.SMTP_URL ? checkMailServer(config.SMTP_URL) : null,
    config.FILES_S3_URL ? checkBucket(config.FILES_S3_URL, fileStore) : null,
  ]);
  return problems.filter((problem) => problem !== null);
}

async function checkMailServer(url: string): Promise<string | null> {
  const transport = nodemailer.createTransport({ ...smtpOptions(url), ...smtpTimes });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return `Warning: the mail server of SMTP_URL (${new URL(url).host}) cannot be used: ${errorText(error)}. Mail waits and is tried again.`;
  } finally {
    transport.close();
  }
}

async function checkBucket(url: string, fileStore: FileStore): Promise<string | null> {
  try {
    await fileStore.put('start-check', Buffer.from('x'), 'text/plain');
    await fileStore.remove('start-check');
    return null;
  } catch (error) {
    const reason = error instanceof Error && error.cause ? error.cause : error;
    return `Warning: files cannot be stored in the bucket of FILES_S3_URL (${new URL(url).host}): ${errorText(reason)}.`;
  }
}
