import type { Page } from '@playwright/test';
import { expect, wrote } from '../journey.ts';
import { emulator } from '../people.ts';
import { appleAddress, openIdAddress } from '../server-address.ts';
import { standInForGoogle } from './google-frames.ts';

export const newPerson = () => `noor-${crypto.randomUUID().slice(0, 8)}`;

export const emailOf = (person: string) => `${person}@openid.test`;

/** Goes from the login page to the provider's page, or to the Firebase emulator's. */
export async function leaveFor(page: Page, provider: string, next: string): Promise<void> {
  if (emulator) await standInForGoogle(page);
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  if (emulator) await page.waitForURL(/\/emulator\/auth\/handler/);
  else await page.waitForURL(`${provider === 'Apple' ? appleAddress : openIdAddress}/**`);
}

export async function logInThere(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('anything');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

/** Creates an account on the emulator's page, which replaces Google and Facebook. */
export async function newAtEmulator(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: /Add new account/ }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Display name' }).fill('Noor Smit');
  await page.getByRole('button', { name: /Sign in with/ }).click();
}

export const atGoogle = emulator
  ? {
      signIn: (page: Page, person: string) => newAtEmulator(page, emailOf(person)),
      signInAgain: (page: Page, person: string) => page.getByText(emailOf(person)).click(),
      turnBack: async (page: Page) => void (await page.goBack()),
    }
  : {
      signIn: logInThere,
      signInAgain: logInThere,
      turnBack: (page: Page) => page.getByRole('link', { name: /cancel/i }).click(),
    };

/** A new account goes through the sign-up steps once, with the provider's name. */
export async function firstSteps(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/complete-signup\?next=/);
  await page.getByRole('button', { name: 'Find work' }).click();
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(wrote('Noor Smit'));
  await page.getByRole('button', { name: 'Continue' }).click();
}
