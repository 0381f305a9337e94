import { expect as base, test as plain } from '@playwright/test';
import { language } from './languages/setting.ts';

const other = language === 'en' ? null : await import('./languages/translated.ts');

/** A journey, in English or with `E2E_LANGUAGE` in another language (ADR 58). */
export const test = other
  ? plain.extend<{ knownTexts: undefined }, { lookups: undefined }>({
      lookups: [
        async ({ browser, playwright }, use) => {
          const page = await browser.newPage();
          const request = await playwright.request.newContext();
          other.lookInLanguage(page, request);
          await Promise.all([page.close(), request.dispose()]);
          await use(undefined);
        },
        { scope: 'worker', auto: true },
      ],
      knownTexts: [
        // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are wanted
        async ({}, use) => {
          await use(undefined);
          base.soft(other.unknownTexts(), 'texts that are neither messages nor typed').toEqual([]);
        },
        { auto: true },
      ],
    })
  : plain;

/** An English text in the language of the run, for mails, files and titles, which have no locator. */
export const worded = (english: RegExp): RegExp => other?.worded(english) ?? english;

/** A typed word in the language of the run, such as a skill to search for. */
export const said = (english: string): string => other?.said(english) ?? english;

export function wrote(text: string): string {
  other?.record(text);
  return text;
}

export const expect = other ? other.expectInLanguage(base) : base;

/** By day every third item, or every `step`th, chosen by `SEED=` and `offset`; in the nightly run all. */
export function dailySample<T>(items: readonly T[], { step = 3, offset = 0 } = {}): readonly T[] {
  const seed = Number(process.env.SEED);
  // Any other value would choose nothing, and every sampled journey would pass.
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`SEED must be a whole number, not ${process.env.SEED}.`);
  const start = (seed + offset) % step;
  return process.env.E2E_JOURNEYS === 'daily' ? items.filter((_, index) => index % step === start) : items;
}
