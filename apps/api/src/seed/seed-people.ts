import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { findableChoices, termsInForce } from '@nearhand/contract/people/profile-choices';
import type { Availability, SpokenLanguage, WorkerSkill } from '@nearhand/contract/people/profiles';
import { type CategoryId, categoryIds, type skillLevels, taxonomy } from '@nearhand/contract/people/taxonomy';
import { updateOwnAccount } from '../people/accounts/accounts.ts';
import { saveProfile } from '../people/profiles/profiles.ts';
import { openAccount } from '../people/sign-in/credentials.ts';
import { acceptTerms } from '../people/terms-of-use/terms-of-use.ts';
import { drawFace, uploadDrawing } from './pictures/faces.ts';
import { type Chance, type Person, someMinutes, type Town } from './town/town.ts';
import { type NameGroup, townTables } from './town/town-tables.ts';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const dayParts = ['morning', 'afternoon', 'evening'] as const;

export type TownPeople = {
  leila: Person;
  nadia: Person;
  /** The other members of Nadia's café, by role. */
  team: Record<'manager' | 'recruiter' | 'finance', Person>;
  owners: Person[];
  workers: Person[];
};

export async function seedPeople(
  town: Town,
  passwordHash: string,
  counts: { owners: number; workers: number },
): Promise<TownPeople> {
  const names = nameDrawer(town.chance);
  const all = counts.owners + counts.workers + Object.keys(demoAccounts).length;
  let joined = 0;
  const join = async (person: { email: string; name: string }, intent: 'work' | 'hire' | 'both') => {
    const at = subtractMs(
      town.now,
      town.chance.between(62 * 24, 120 * 24) * hourMs + someMinutes(town.uneven),
    );
    const scope = { clock: { now: () => at } };
    const accountId = await openAccount(town.tx, scope, { ...person, passwordHash, emailVerified: true });
    await acceptTerms(town.tx, town.scopeOf(accountId, at), { version: termsInForce });
    await updateOwnAccount(town.tx, town.scopeOf(accountId, at), { intent });
    if (joined % 8 !== 7) {
      const svg = drawFace(person.name);
      const photoFileId = await uploadDrawing(town, accountId, at, { purpose: 'photo', name: 'me.png', svg });
      await saveProfile(town.tx, town.scopeOf(accountId, at), { photoFileId });
    }
    joined += 1;
    town.progress('people', joined, all);
    return accountId;
  };

  await openAccount(
    town.tx,
    { clock: { now: () => subtractMs(town.now, dayMs) } },
    {
      ...demoAccounts.unverified,
      passwordHash,
      emailVerified: false,
    },
  );
  joined += 1;
  const hirer = async (person: { email: string; name: string }, intent: 'hire' | 'both' = 'hire') => ({
    accountId: await join(person, intent),
    name: person.name,
    trades: [],
    years: 0,
  });
  const nadia = await hirer(demoAccounts.hirer);
  const leila = await seedWorker(
    town,
    {
      accountId: await join(demoAccounts.worker, 'work'),
      name: demoAccounts.worker.name,
      group: leilasGroup,
      trade: 'hospitality',
    },
    leilasPreferences,
  );

  const owners: Person[] = [];
  for (let count = 0; count < counts.owners; count += 1) {
    owners.push(await hirer(names(), count % 6 === 5 ? 'both' : 'hire'));
  }
  const workers: Person[] = [leila];
  for (let count = 0; count < counts.workers; count += 1) {
    const { name, email, group } = names();
    const accountId = await join({ name, email }, count % 15 === 14 ? 'both' : 'work');
    workers.push(await seedWorker(town, { accountId, name, group, trade: tradeOf(town.chance, count) }));
  }
  const team = {
    manager: await hirer(demoAccounts.manager),
    recruiter: await hirer(demoAccounts.recruiter),
    finance: await hirer(demoAccounts.finance),
  };
  return { leila, nadia, team, owners, workers };
}

const leilasGroup: NameGroup = { language: 'ar', first: [], last: [] };
const leilasPreferences = {
  bio: 'Five years as a barista and waiter, and lately in the kitchen too. I live around the corner from the market and get around by bike.',
  home: { label: 'Jordaan, Amsterdam', lat: 52.3762, lng: 4.8818 },
  skills: [
    { skill: 'barista', level: 'expert', years: 5 },
    { skill: 'waiter', level: 'practised', years: 3 },
    { skill: 'cook', level: 'beginner', years: 1 },
  ] satisfies WorkerSkill[],
};

function nameDrawer(chance: Chance) {
  const { nameGroups } = townTables();
  const takenNames = new Set<string>(Object.values(demoAccounts).map(({ name }) => name));
  return () => {
    for (;;) {
      // The first group is the largest part of the town.
      const group = chance.percent(22) ? (nameGroups[0] as NameGroup) : chance.pick(nameGroups);
      const name = `${chance.pick(group.first)} ${chance.pick(group.last)}`;
      if (takenNames.has(name)) continue;
      takenNames.add(name);
      const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      return { name, group, email: `${plain.replace(/[^a-z]+/g, '.')}@demo.nearhand.example` };
    }
  };
}

const tradeOf = (chance: Chance, count: number): CategoryId => {
  if (count < categoryIds.length) return categoryIds[count] as CategoryId;
  return chance.percent(30) ? 'hospitality' : chance.pick(categoryIds);
};

async function seedWorker(
  town: Town,
  { accountId, name, group, trade }: { accountId: string; name: string; group: NameGroup; trade: CategoryId },
  options: { bio?: string; home?: { label: string; lat: number; lng: number }; skills?: WorkerSkill[] } = {},
): Promise<Person> {
  const { chance } = town;
  const years = chance.between(2, 14);
  const second = chance.pick(categoryIds);
  const { quarter, lat, lng } = chance.pick(townTables().streets);
  const jitter = () => chance.between(-25, 25) / 10_000;
  await saveProfile(
    town.tx,
    town.scopeOf(
      accountId,
      subtractMs(town.now, chance.between(60 * 24, 61 * 24) * hourMs + someMinutes(town.uneven)),
    ),
    {
      bio: chance
        .pick(townTables().bios[trade])
        .replace('{years}', inLetters(years))
        .replace(/^./, (first) => first.toUpperCase()),
      home: { label: `${quarter}, Amsterdam`, lat: round(lat + jitter()), lng: round(lng + jitter()) },
      languages: languagesOf(chance, group.language),
      availability: availabilityOf(chance),
      skills: skillsOf(chance, trade, second, years),
      findable: findableChoices[years % findableChoices.length],
      ...options,
    },
  );
  return { accountId, name, trades: [trade, second], years };
}

const round = (degrees: number) => Number(degrees.toFixed(4));
const letters = 'two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(' ');
const inLetters = (years: number): string => letters[years - 2] ?? String(years);

function languagesOf(chance: Chance, mother: string): SpokenLanguage[] {
  const motherTongue: SpokenLanguage = { code: mother, level: 'native' };
  const furtherLanguages = [
    { code: 'nl', level: chance.pick(['basic', 'good', 'fluent']) },
    { code: 'en', level: chance.pick(['good', 'fluent']) },
  ] satisfies SpokenLanguage[];
  return [
    motherTongue,
    ...furtherLanguages.filter(({ code }) => code !== mother && (code === 'nl' || chance.percent(80))),
  ];
}

function availabilityOf(chance: Chance): Availability {
  const days = chance.some(weekdays, chance.between(3, 6));
  return days.flatMap((day) => chance.some(dayParts, chance.between(1, 2)).map((part) => ({ day, part })));
}

function skillsOf(chance: Chance, trade: CategoryId, second: CategoryId, years: number): WorkerSkill[] {
  const tradeSkills = chance.some(taxonomy[trade], chance.between(1, 3));
  const extra = second === trade ? [] : chance.some(taxonomy[second], chance.between(0, 1));
  return [...tradeSkills, ...extra].map((skill, index) => {
    const practised = index === 0 ? years : chance.between(0, years);
    return { skill, years: practised, level: levelAfter(practised) };
  });
}

/** Accounts with this password are never created in production (ADR 28). */
export const demoPassword = 'demo-nearhand';

export const demoAccounts = {
  worker: { email: 'leila@demo.nearhand.example', name: 'Leila Haddad' },
  hirer: { email: 'nadia@demo.nearhand.example', name: 'Nadia Zoutman' },
  manager: { email: 'marit@demo.nearhand.example', name: 'Marit Dekker' },
  recruiter: { email: 'rosa@demo.nearhand.example', name: 'Rosa Lindgren' },
  finance: { email: 'femi@demo.nearhand.example', name: 'Femi Adeyemi' },
  unverified: { email: 'sam@demo.nearhand.example', name: 'Sam Whitcombe' },
} as const;

export const demoAccountsInWords = [
  `Demo accounts, all with the password ${demoPassword}:`,
  `  ${demoAccounts.worker.email}    looks for work, and has some today`,
  `  ${demoAccounts.hirer.email}    hires for three businesses`,
  `  ${demoAccounts.manager.email}    manages one of them, Café Zilverlinde`,
  `  ${demoAccounts.recruiter.email}     recruits for it`,
  `  ${demoAccounts.finance.email}     keeps its books`,
  `  ${demoAccounts.unverified.email}      has not verified the email address yet`,
].join('\n');

function levelAfter(years: number): (typeof skillLevels)[number] {
  if (years > 5) return 'expert';
  return years > 1 ? 'practised' : 'beginner';
}
