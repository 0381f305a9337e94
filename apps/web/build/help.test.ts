import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Language, languages } from '@nearhand/contract/languages';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../src/app/routes.ts';
import type { Inline } from '../src/trust/help/article.ts';
import { helpFacts } from '../src/trust/help/article-body.tsx';
import {
  findArticles,
  findInOtherLanguages,
  indexOfWords,
  searchOptions,
} from '../src/trust/help/search-options.ts';
import {
  type Article,
  contentOf,
  readArticle,
  readArticles,
  textOf,
  topics,
  wordsOfArticles,
} from './help.ts';
import { elementsOf, readCatalogue } from './read-catalogue.ts';

const root = join(import.meta.dirname, '..');
const articles = readArticles(root);
const slugs = new Set(articles.map(({ slug }) => slug));
const words = { min: 80, max: 250 };

const catalogue = new Set(
  [...readFileSync(join(root, 'src/locales/en.po'), 'utf8').matchAll(/^msgid "(.*)"$/gm)].flatMap(
    ([, id = '']) => {
      const message = id.replaceAll('\\"', '"');
      return [message, ...elementsOf(message).values()];
    },
  ),
);

function translationsOf(language: Language): Map<string, string> {
  const entries = Object.values(readCatalogue(join(root, 'src/locales'), language)).flatMap(
    ({ message, translation, context }): [string, string][] =>
      message && translation && !context ? [[message, translation]] : [],
  );
  const inElements = entries.flatMap(([message, translation]): [string, string][] => {
    const translated = elementsOf(translation);
    return [...elementsOf(message)].map(([number, text]) => [text, translated.get(number) ?? '']);
  });
  return new Map([...inElements, ...entries]);
}

const inlines = ({ blocks }: Pick<Article, 'blocks'>): Inline[] =>
  blocks.flatMap((block) => ('items' in block ? block.items.flat() : block.content));
const parts = <Kind extends 'label' | 'link' | 'fact'>(article: Pick<Article, 'blocks'>, kind: Kind) =>
  inlines(article).filter(
    (part): part is Extract<Inline, { kind: Kind }> => typeof part !== 'string' && part.kind === kind,
  );

const numberWord =
  /\b(two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|thirty|sixty)\b[ -](percent|per cent|minutes?|hours?|days?|weeks?|months?|met(?:re|er)s?|euros?)\b/i;

function problemsOf(article: Article): string[] {
  const prose = [article.title, textOf(article.blocks)].join('\n');
  const count = textOf(article.blocks).split(/\s+/).filter(Boolean).length;
  const target = (to: string) => (to.startsWith('/') ? (to.split('?')[0] ?? '') : '');
  return [
    ...(count < words.min || count > words.max ? [`has ${count} words`] : []),
    ...(/\d/.test(prose) ? [`states a number: ${/.{0,20}\d.{0,20}/.exec(prose)?.[0]}`] : []),
    ...(numberWord.test(prose) ? [`states a number in words: ${numberWord.exec(prose)?.[0]}`] : []),
    ...parts(article, 'fact').flatMap(({ name }) => (name in helpFacts ? [] : [`unknown fact ${name}`])),
    ...parts(article, 'label').flatMap(({ text }) => (catalogue.has(text) ? [] : [`no label “${text}”`])),
    ...parts(article, 'link').flatMap(({ to }) => {
      const slug = /^\/tabs\/menu\/help\/([\w-]+)$/.exec(to)?.[1];
      if (slug) return slugs.has(slug) ? [] : [`no article ${slug}`];
      return routeOf(target(to)) ? [] : [`no page ${to}`];
    }),
    ...article.related.flatMap((slug) => (slugs.has(slug) ? [] : [`no related article ${slug}`])),
    ...(article.related.includes(article.slug) ? ['is related to itself'] : []),
  ];
}

describe('the articles', () => {
  it('cover both sides and every topic', () => {
    expect(articles.length).toBeGreaterThanOrEqual(40);
    for (const side of ['work', 'hire', 'both'])
      expect(articles.filter((article) => article.side === side).length, side).toBeGreaterThan(8);
    for (const topic of topics)
      expect(articles.filter((article) => article.topic === topic).length, topic).toBeGreaterThan(2);
    expect(new Set(articles.map(({ title }) => title)).size).toBe(articles.length);
    expect(slugs.size).toBe(articles.length);
  });

  it.each(articles)('$topic/$slug matches the app', (article) => {
    expect(problemsOf(article)).toEqual([]);
  });

  it('are linked from the app by existing names', () => {
    const used = globSync('src/**/*.tsx', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/<HelpLink\s+article="([^"]+)"/g)].map(
        ([, slug = '']) => slug,
      ),
    );
    expect(used.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(used.length).toBeGreaterThanOrEqual(12);
  });
});

/** The files that a file imports, also lazily, with theirs. */
function importedFrom(file: string): Set<string> {
  const files = new Set([file]);
  for (const importer of files)
    for (const [, path = ''] of readFileSync(join(root, importer), 'utf8').matchAll(
      /(?:from|import\()\s*'(\.[^']+\.tsx?)'/g,
    ))
      files.add(join(dirname(importer), path));
  return files;
}

/** The texts on the screens with a title. A screen's own work opens on screens of its own. */
function textsByScreen(): Map<string, Set<string>> {
  const texts = Object.values(readCatalogue(join(root, 'src/locales'), 'en')).flatMap(
    ({ message = '', origin: origins = [] }) =>
      [message, ...elementsOf(message).values()].map((text) => ({
        text,
        files: origins.map(([file]) => file),
      })),
  );
  const openedFrom: Record<string, string[]> = { 'my-work': ['application', 'engagement'] };
  const screens = new Map<string, Set<string>>();
  for (const file of globSync('src/**/*.screen.tsx', { cwd: root })) {
    const opened = openedFrom[basename(file, '.screen.tsx')] ?? [];
    const parts = opened.flatMap((name) => globSync(`src/**/${name}.screen.tsx`, { cwd: root }));
    const files = new Set([file, ...parts].flatMap((part) => [...importedFrom(part)]));
    for (const [title] of readFileSync(join(root, file), 'utf8').matchAll(/(?<=title=\{.*t`)[^`]+/g)) {
      const ownTexts = texts.filter((text) => text.files.some((origin) => files.has(origin)));
      screens.set(title, new Set([...(screens.get(title) ?? []), ...ownTexts.map(({ text }) => text)]));
    }
  }
  return screens;
}

describe('the directions of the articles', () => {
  const screens = textsByScreen();

  /** In a sentence such as "In **Balance** press **Withdraw**", the buttons that none of its screens has. */
  const wrongTurns = (sentence: string): string[] => {
    const [before = '', after = ''] = sentence.split(/\bpress\b(.*)/s);
    const labels = (text: string) => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
    const named = labels(before).filter((label) => screens.has(label));
    if (named.length === 0) return [];
    return labels(after).filter((button) => !named.some((screen) => screens.get(screen)?.has(button)));
  };

  it('name buttons of the screens they name', () => {
    const problems = globSync('help/en/**/*.md', { cwd: root }).flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split(/\n|(?<=[.:]) /)
        .flatMap((sentence) => wrongTurns(sentence).map((button) => `${file}: ${button} in “${sentence}”`)),
    );
    expect(problems).toEqual([]);
  });

  it('are compared with the screens', () => {
    expect(wrongTurns('In **Statement** on the Hire side, press **Add money**.')).toEqual(['Add money']);
    expect(wrongTurns('Open **Balance**, enter an amount and press **Withdraw**.')).toEqual([]);
  });
});

describe.each(languages.slice(1))('the articles in %s', (language) => {
  const translated = new Map(readArticles(root, language).map((article) => [article.slug, article]));
  const labels = translationsOf(language);

  it('are complete', () => expect([...translated.keys()].sort()).toEqual([...slugs].sort()));

  it.each(articles)("$topic/$slug matches English, with the app's labels", (article) => {
    const other = translated.get(article.slug);
    if (!other) throw new Error('is not translated');
    const { side, topic, related, popular } = article;
    expect(other).toMatchObject({ side, topic, related, popular });
    expect(other.blocks.map(({ kind }) => kind)).toEqual(article.blocks.map(({ kind }) => kind));
    const sorted = (values: readonly string[]) => [...values].sort();
    expect(sorted(parts(other, 'fact').map(({ name }) => name))).toEqual(
      sorted(parts(article, 'fact').map(({ name }) => name)),
    );
    expect(sorted(parts(other, 'link').map(({ to }) => to))).toEqual(
      sorted(parts(article, 'link').map(({ to }) => to)),
    );
    expect(sorted([...new Set(parts(other, 'label').map(({ text }) => text))])).toEqual(
      sorted([
        ...new Set(parts(article, 'label').map(({ text }) => labels.get(text) ?? `untranslated ${text}`)),
      ]),
    );
    expect(/\d/.exec(textOf(other.blocks))?.[0]).toBeUndefined();
  });
});

describe('the check of an article', () => {
  const front = '---\ntitle: A title\nside: both\nkeywords: x\nrelated: check-in\n---\n';
  const check = (markdown: string) =>
    problemsOf(readArticle('help/start/test.md', `${front}${markdown}\n\n${'word '.repeat(80)}`));

  it('accepts a valid one', () => {
    expect(check('Press **Apply** within {{offer}}. See [offers](article:offers) or [terms](/toc).')).toEqual(
      [],
    );
  });
  it.each([
    ['You have 48 hours.', /states a number: .*48/],
    ['You have two days.', /in words: two days/],
    ['You have {{offerHours}}.', /unknown fact offerHours/],
    ['Press **Frobnicate**.', /no label “Frobnicate”/],
    ['See [this](/nowhere).', /no page \/nowhere/],
    ['See [this](https://example.org).', /no page/],
    ['See [this](article:nothing).', /no article nothing/],
  ])('reports what is wrong in “%s”', (markdown, problem) => {
    expect(check(markdown).join()).toMatch(problem);
  });
  it.each([
    ['<b>HTML</b>', /html/],
    ['![x](y.png)', /image/],
    ['`code`', /codespan/],
    ['# Title', /headings/],
    ['> quote', /blockquote/],
    ['- one\n\n  two', /one line/],
  ])('rejects %j', (markdown, problem) => {
    expect(() => check(markdown)).toThrow(problem);
  });
  it('rejects an unknown side or folder', () => {
    expect(() => readArticle('help/start/x.md', front.replace('both', 'all'))).toThrow('side is all');
    expect(() => readArticle('help/nowhere/x.md', front)).toThrow('nowhere is not a topic');
    expect(() => readArticle('help/start/x.md', '---\nside: both\n---\n')).toThrow('no title');
  });
});

describe('the facts', () => {
  it('are all used, and read like text', () => {
    const used = new Set(articles.flatMap((article) => parts(article, 'fact').map(({ name }) => name)));
    expect(Object.keys(helpFacts).filter((name) => !used.has(name))).toEqual([]);
    const named = {
      operator: 'Nearhand BV',
      contactEmail: 'hello@nearhand.example',
      settlementBody: '',
      settlementBodyUrl: '',
      mapHost: 'tiles.example',
    };
    const values = Object.fromEntries(
      Object.entries(helpFacts).map(([name, fact]) => [
        name,
        fact({ ...settingDefaults, ...named }).replaceAll('\u00a0', ' '),
      ]),
    );
    expect(values).toMatchObject({
      businessFee: '10%',
      workerFee: '0%',
      offer: '48 hours',
      checkInOpens: '60 minutes',
      withdrawalMin: '5',
      withdrawalInstantFee: '1.50',
      lateCancelMax: '4 hours',
      clearing: '5 days',
      cvSize: '5 MB',
      checkInRadius: '150 m',
      lateCancelShare: '50%',
    });
  });
});

describe('the index', () => {
  const helps = new Map(
    languages.map((language) => {
      const { search, heads } = contentOf(readArticles(root, language));
      const index = MiniSearch.loadJSON<{ slug: string }>(search, searchOptions);
      return [language, { index, heads }] as const;
    }),
  );
  const helpIn = (language: Language) => {
    const help = helps.get(language);
    if (!help) throw new Error(`no help in ${language}`);
    return help;
  };
  const headIn =
    (language: Language, side: 'work' | 'hire' = 'work') =>
    (slug: string) => {
      const head = helpIn(language).heads.find((other) => other.slug === slug);
      return head && { ...head, isForSide: head.side === 'both' || head.side === side };
    };
  const slugsFor = (language: Language, query: string, side?: 'work' | 'hire') =>
    findArticles(helpIn(language).index, query, headIn(language, side));
  const words = indexOfWords(wordsOfArticles(root));

  it.each<[Language, query: string, first: string, side?: 'hire']>([
    ['en', 'check in', 'check-in'],
    ['en', 'clock in', 'check-in'],
    ['en', 'chekin ofline', 'check-in-offline'],
    ['en', 'withdra', 'withdraw'],
    ['en', 'wtihdraw', 'withdraw'],
    ['en', 'withdrawal', 'withdraw'],
    ['en', 'forgot pasword', 'password'],
    ['en', 'iban', 'bank-account'],
    ['en', 'no show', 'no-shows'],
    ['en', 'VAT invoice', 'your-invoices'],
    ['en', 'self-billing', 'your-invoices'],
    ['en', 'salary', 'how-you-get-paid'],
    ['en', 'when do I get my money', 'how-you-get-paid'],
    ['en', 'swap shift', 'give-away-a-shift'],
    ['en', 'overtime', 'submit-hours'],
    ['en', 'tax', 'taxes-and-insurance'],
    ['en', 'harrassment', 'block-and-report'],
    ['en', 'dark mode', 'appearance'],
    ['en', 'how much does it cost to hire', 'fees', 'hire'],
    ['en', 'VAT invoice', 'invoices', 'hire'],
    ['en', 'post job', 'post-a-job', 'hire'],
    ['nl', 'loon', 'how-you-get-paid'],
    ['nl', 'factuur', 'your-invoices'],
    ['nl', 'wachtwoord vergeten', 'password'],
    ['nl', 'geld opnemen', 'withdraw'],
    ['nl', 'inchekken', 'check-in'],
    ['de', 'Rechnung', 'your-invoices'],
    ['de', 'Passwort vergessen', 'password'],
    ['de', 'Auszahlung', 'withdraw'],
    ['de', 'Lohn', 'how-you-get-paid'],
    ['fr', 'facture', 'your-invoices'],
    ['fr', 'mot de passe', 'password'],
    ['fr', 'retirer argent', 'withdraw'],
    ['fr', 'salaire', 'how-you-get-paid'],
    ['es', 'factura', 'your-invoices'],
    ['es', 'contrasena', 'password'],
    ['es', 'retirar dinero', 'withdraw'],
    ['es', 'salario', 'how-you-get-paid'],
    ['ar', 'فاتورة', 'your-invoices'],
    ['ar', 'كلمة المرور', 'password'],
    ['ar', 'سحب المال', 'withdraw'],
    ['ar', 'الراتب', 'how-you-get-paid'],
    ['en', 'delete my account', 'delete-account'],
    ['en', 'close account', 'delete-account'],
    ['en', 'yearly tax report', 'tax-report'],
    ['en', 'how old must I be', 'verify-identity'],
    ['en', 'is there a fee', 'how-you-get-paid'],
    ['en', 'my boss did not pay me', 'disputes'],
    ['nl', 'account verwijderen', 'delete-account'],
    ['nl', 'belasting jaaropgave', 'statement'],
    ['nl', 'jaaropgave', 'statement'],
    ['nl', 'hoe oud moet ik zijn', 'verify-identity'],
    ['nl', 'baas betaalt niet', 'disputes'],
    ['nl', 'hoe krijg ik mijn geld', 'how-you-get-paid'],
    ['de', 'Konto löschen', 'delete-account'],
    ['de', 'wie alt muss ich sein', 'verify-identity'],
    ['de', 'Chef zahlt nicht', 'disputes'],
    ['de', 'jährliche Meldung Finanzamt', 'tax-report'],
    ['fr', 'supprimer mon compte', 'delete-account'],
    ['fr', 'quel âge faut-il', 'verify-identity'],
    ['fr', 'mon patron ne paie pas', 'disputes'],
    ['fr', 'déclaration administration fiscale', 'tax-report'],
    ['es', 'borrar mi cuenta', 'delete-account'],
    ['es', 'cuántos años', 'verify-identity'],
    ['es', 'mi jefe no paga', 'disputes'],
    ['es', 'informe anual hacienda', 'tax-report'],
    ['ar', 'حذف حسابي', 'delete-account'],
    ['ar', 'الحد الأدنى للعمر', 'verify-identity'],
    ['ar', 'صاحب العمل لا يدفع', 'disputes'],
    ['ar', 'التقرير السنوي للضرائب', 'tax-report'],
  ])('in %s leads “%s” to %s', (language, query, slug, side) => {
    const results = slugsFor(language, query, side);
    expect(results[0]).toBe(slug);
    expect(results.length).toBeLessThanOrEqual(8);
  });

  it.each<[Language, string]>([
    ['en', 'sick'],
    ['en', 'I’m ill and can’t work'],
    ['nl', 'ziek'],
    ['de', 'krank'],
    ['fr', 'malade'],
    ['es', 'enfermo'],
    ['ar', 'مريض'],
  ])('in %s leads “%s” to the ways out of a shift', (language, query) => {
    expect(slugsFor(language, query).sort()).toEqual(['cancel-a-shift', 'give-away-a-shift']);
  });

  it.each<[Language, string]>([
    ['en', 'student visa'],
    ['en', 'can I work with a student visa'],
    ['nl', 'studentenvisum'],
    ['de', 'Studentenvisum'],
    ['fr', 'visa étudiant'],
    ['es', 'visado de estudiante'],
    ['ar', 'تأشيرة طالب'],
  ])('in %s has no article for “%s”', (language, query) => {
    expect(slugsFor(language, query)).toEqual([]);
  });

  it.each<[query: string, first: string]>([
    ['wachtwoord vergeten', 'password'],
    ['belasting jaaropgave', 'statement'],
    ['hoe krijg ik mijn geld', 'how-you-get-paid'],
    ['Konto löschen', 'delete-account'],
    ['supprimer mon compte', 'delete-account'],
    ['mi jefe no paga', 'disputes'],
    ['حذف حسابي', 'delete-account'],
  ])('in English leads “%s” to %s', (query, slug) => {
    expect(slugsFor('en', query)).toEqual([]);
    expect(findInOtherLanguages(words, query, headIn('en'))[0]).toBe(slug);
  });

  it('has no article for nonsense in any language', () => {
    for (const query of ['student visa', 'zzzzqqq'])
      expect(findInOtherLanguages(words, query, headIn('en')), query).toEqual([]);
  });

  it('puts articles for the other side last', () => {
    expect(slugsFor('en', 'VAT invoice')).toEqual(['your-invoices', 'invoices']);
  });

  it('contains every article', () => {
    for (const { index, heads } of helps.values()) expect(index.documentCount).toBe(heads.length);
  });
});
