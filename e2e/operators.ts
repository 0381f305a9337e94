import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { appCode } from './authenticator.ts';
import { expect } from './journey.ts';
import { password } from './people.ts';

/** Makes an account an operator of the server with this data folder, by the command line. */
export async function appoint(dataDir: string, email: string, ...roles: string[]): Promise<void> {
  const command = path.resolve(import.meta.dirname, '../apps/api/src/commands/operator.ts');
  await promisify(execFile)(
    process.execPath,
    [command, 'add', email, ...(roles.length > 0 ? roles : ['owner'])],
    {
      env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'test' },
    },
  );
}

/** An authenticator app, whose codes are each used once: `next` waits for an unused one. */
export class Authenticator {
  #used = '';
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  async next(): Promise<string> {
    await expect.poll(() => appCode(this.#key), { timeout: 40_000 }).not.toBe(this.#used);
    this.#used = appCode(this.#key);
    return this.#used;
  }
}

export async function turnOnSecondStep(page: Page): Promise<Authenticator> {
  await page.getByRole('button', { name: 'Turn on the second step' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Continue' }).click();
  const app = new Authenticator(
    ((await sheet.getByTestId('totp-key').textContent()) ?? '').replaceAll(' ', ''),
  );
  await sheet.getByLabel('Code', { exact: true }).fill(await app.next());
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  await sheet.getByRole('button', { name: 'I saved them' }).click();
  return app;
}
