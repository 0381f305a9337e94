import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from './journey.ts';

export const newEmail = (name: string) => `${name}.${crypto.randomUUID().slice(0, 8)}@journey.example`;

export const password = 'a quiet harbour 7';

/** The Firebase emulator stores the codes of its mails instead of sending them (`npm run test:firebase`). */
export const emulator = process.env.FIREBASE_AUTH_EMULATOR;

async function firebaseLink(request: APIRequestContext, email: string): Promise<string> {
  const codes = `${emulator}/emulator/v1/projects/${process.env.FIREBASE_PROJECT_ID}/oobCodes`;
  let link = '';
  await expect(async () => {
    const { oobCodes } = (await (await request.get(codes)).json()) as {
      oobCodes: { email: string; oobCode: string; requestType: string }[];
    };
    const newest = oobCodes.findLast((oobCode) => oobCode.email === email);
    expect(newest, `a mail of Firebase to ${email}`).toBeDefined();
    const mode = newest?.requestType === 'PASSWORD_RESET' ? 'resetPassword' : 'verifyEmail';
    link = `/login?mode=${mode}&oobCode=${newest?.oobCode}`;
  }).toPass({ timeout: 30_000 });
  return link;
}

/** Finds the newest matching link in a person's mailbox, polling because the task runner sends mail. */
export async function mailedLink(
  request: APIRequestContext,
  email: string,
  pattern: RegExp,
): Promise<string> {
  if (emulator && pattern.test('/login?')) return firebaseLink(request, email);
  let link: string | undefined;
  await expect(async () => {
    const page = await (await request.get(`/dev/mailbox?to=${encodeURIComponent(email)}`)).text();
    link = [...page.matchAll(/href="([^"]+)"/g)]
      .map((match) => (match[1] ?? '').replaceAll('&amp;', '&'))
      .find((href) => pattern.test(href));
    expect(link, `a mail to ${email} with ${pattern}`).toBeDefined();
  }).toPass({ timeout: 30_000 });
  return link ?? '';
}

export async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(
    page.getByText(
      'Verify your email, and then proceed to log in. Check your inbox for a verification email.',
    ),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/complete-signup/);
}

/** Follows the verification mail's link in the same browser, where the session continues as verified. */
export async function verify(page: Page, email: string): Promise<void> {
  await page.goto(await mailedLink(page.request, email, /\/login\?/));
  await expect(page).toHaveURL(/\/tabs\/menu\/|\/register-business|\/complete-signup|\/expertise/);
}

export async function confirmPassword(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: "Confirm that it's you" });
  await question.getByLabel('Password', { exact: true }).fill(password);
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(question).toBeHidden();
}

export async function join(
  page: Page,
  email: string,
  name: string,
  brings: 'Find work' | 'Hire people',
): Promise<void> {
  await signUp(page, email);
  await page.getByRole('button', { name: brings }).click();
  await page.goto('/fill-profile');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
  await verify(page, email);
}

export async function signOut(page: Page): Promise<void> {
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started/);
}
