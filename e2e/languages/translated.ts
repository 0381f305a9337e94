import type { APIRequestContext, Expect, Frame, Locator, Page } from '@playwright/test';
import { literal, textsOf } from './catalogue.ts';
import { Lookups } from './lookups.ts';
import { pairsIn } from './pairs.ts';
import { language } from './setting.ts';

const lookups = new Lookups(pairsIn(language));

const typed = new Set<string>();
export const record = (value: unknown): void => {
  if (typeof value === 'string') typed.add(value.replaceAll(/\s+/g, ' '));
  else if (value && typeof value === 'object') Object.values(value).forEach(record);
};
const isTyped = (text: string) => {
  const words = new RegExp(`(?<!\\p{L})${literal(text)}(?!\\p{L})`, 'iu');
  return [...typed].some((character) => words.test(character));
};

/** Operators work in English (ADR 176), and so do the sandbox's bank and the pages of identity providers. */
const isEnglish = (page: Page) =>
  /^\/(operator|sandbox|interaction)(\/|$)/.test(URL.parse(page.url())?.pathname ?? '');

const translations = new WeakSet<RegExp>();
const untranslated = new Set<string>();

/** The translation of an English text on this page, or the text itself if it is no message. */
function translate<T>(sought: T, page: Page, exact = false): T | RegExp {
  const isText = typeof sought === 'string' && sought !== '';
  if (!isText && !(sought instanceof RegExp && !translations.has(sought))) return sought;
  if (isEnglish(page)) return sought;
  const lookup = lookups.find(sought, exact, isTyped);
  if (!lookup) {
    untranslated.add(String(sought));
    return sought;
  }
  translations.add(lookup);
  return lookup;
}

/** Translates an expression for a text in a mail, a file or a title, which have no locator. */
export const worded = (sought: RegExp): RegExp => lookups.find(sought, false, isTyped) ?? sought;

export function said(english: string): string {
  const translation = textsOf(language).find(([message]) => message === english)?.[1].translation;
  if (!translation) throw new Error(`No message "${english}"`);
  return translation;
}

/** Names and addresses that come from neither a journey nor the catalogues. */
const names = [/^Visa\b/, /^nearhand-verification=/, /^S · Nearhand$/, /^\/[a-z-]+/];

/** Untranslated texts since the last call that no one typed: in another language they may prove nothing. */
export function unknownTexts(): string[] {
  const unknown = [...untranslated].filter((text) => {
    const plain = text.replaceAll(/^\/\^?|\$?\/[a-z]*$/g, '').replaceAll(/[\\“”]/g, '');
    return /\p{L}/u.test(plain) && !isTyped(plain) && !names.some((name) => name.test(plain));
  });
  untranslated.clear();
  return unknown;
}

type Method = (...args: unknown[]) => unknown;
type Methods = Record<string, Method>;
type Options = Record<string, unknown> & { exact?: boolean };

/** Replaces a method for all objects of a class, of which Playwright exports none. */
function around<T extends object>(
  target: T,
  name: keyof T & string,
  change: (self: T, args: unknown[]) => unknown,
) {
  const methods = Object.getPrototypeOf(target) as Methods;
  const original = methods[name] as Method;
  methods[name] = function (this: T, ...args) {
    const changed = change(this, args);
    return changed instanceof Promise
      ? changed.then((all) => original.apply(this, all as unknown[]))
      : original.apply(this, changed as unknown[]);
  };
}

const optionsIn = (options: Options | undefined, page: Page) =>
  options &&
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      /^(name|hasText|hasNotText)$/.test(name) ? translate(value, page, options.exact) : value,
    ]),
  );

async function optionIn(select: Locator, chosen: unknown): Promise<unknown> {
  const label = typeof chosen === 'string' ? chosen : (chosen as { label?: string }).label;
  if (label === undefined) return chosen;
  await select.locator('option').first().waitFor({ state: 'attached' });
  const options = await select
    .locator('option')
    .evaluateAll((all) => (all as HTMLOptionElement[]).map(({ value, label }) => ({ value, label })));
  if (typeof chosen === 'string' && options.some(({ value }) => value === chosen)) return chosen;
  const sought = translate(label, select.page(), true);
  const option = options.find((candidate) =>
    sought instanceof RegExp ? sought.test(candidate.label) : candidate.label === sought,
  );
  return option ? { label: option.label } : chosen;
}

/** Translates the English texts that journeys look for into the language of the run. */
export function lookInLanguage(page: Page, request: APIRequestContext): void {
  const locator = page.locator('html');
  const roots: (Frame | Locator)[] = [page.mainFrame(), locator];
  for (const root of roots) {
    for (const name of ['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle', 'getByAltText'] as const)
      around(root, name, (self, [text, options]) => [
        translate(text, self.page(), (options as Options | undefined)?.exact),
        options,
      ]);
    for (const name of ['getByRole', 'locator'] as const)
      around(root, name, (self, [what, options]) => [what, optionsIn(options as Options, self.page())]);
  }
  around(locator, 'filter', (self, [options]) => [optionsIn(options as Options, self.page())]);
  around(locator, 'selectOption', async (self, [option, ...rest]) => [await optionIn(self, option), ...rest]);
  for (const name of ['fill', 'pressSequentially', 'setInputFiles'] as const)
    around(locator, name, (_, args) => {
      record(args[0]);
      return args;
    });
  around(request, 'fetch', (_, args) => {
    record((args[1] as { data?: unknown } | undefined)?.data);
    return args;
  });
}

const expectations: Record<string, boolean> = {
  toHaveText: true,
  toContainText: false,
  toHaveTitle: true,
  toHaveAccessibleName: true,
  toHaveAccessibleDescription: true,
};

const inLanguage = (actual: Page | Locator, matchers: object): object =>
  new Proxy(matchers, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return inLanguage(actual, value as object);
      if (typeof value !== 'function' || !(name in expectations)) return value;
      const page = 'page' in actual ? actual.page() : actual;
      const translateOne = (text: unknown) => translate(text, page, expectations[name]);
      return (expected: unknown, options?: unknown) =>
        value.call(
          target,
          Array.isArray(expected) ? expected.map(translateOne) : translateOne(expected),
          options,
        );
    },
  });

const isPageOrLocator = (actual: unknown): actual is Page | Locator =>
  typeof actual === 'object' && actual !== null && 'getByRole' in actual;

export const expectInLanguage = (expect: Expect): Expect =>
  new Proxy(expect, {
    apply(target, self, args: [unknown, string?]) {
      const matchers = Reflect.apply(target, self, args) as object;
      return isPageOrLocator(args[0]) ? inLanguage(args[0], matchers) : matchers;
    },
    get(target, name: keyof Expect) {
      return name === 'soft' ? expectInLanguage(target.soft as Expect) : target[name];
    },
  });
