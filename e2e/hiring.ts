import type { BrowserContext, Page } from '@playwright/test';
import { locale as ofThisRun } from './languages/setting.ts';
import { expect, type Parts, type Time, test } from './moved-time.ts';
import { mailedLink, newEmail, password } from './people.ts';
import { desktop, phone } from './sizes.ts';

/** The business's address in these journeys: Westerstraat in Amsterdam. */
export const doorPosition = { latitude: 52.3791, longitude: 4.8831, accuracy: 12 };
export const farAway = { latitude: 52.3611, longitude: 4.8831, accuracy: 12 };

/** Devices of people in the journeys that run once (playwright.config.ts). */
const deviceOf = { work: phone, hire: desktop };

type Answer = Record<string, unknown> & { id: string; version: number };

export type Person = {
  page: Page;
  context: BrowserContext;
  name: string;
  email: string;
  /** Calls the API without clicking, for a journey's initial state. */
  api(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: unknown): Promise<Answer>;
  elsewhere(): Promise<Page>;
};

/** A verified person, created and signed in without clicking. */
export async function signedInPerson(
  { browser, baseURL, time }: Parts,
  name: string,
  intent: 'work' | 'hire',
  position = doorPosition,
  locale = ofThisRun,
): Promise<Person> {
  const email = newEmail(name.split(' ')[0]?.toLowerCase() ?? 'somebody');
  const device = async () => {
    const context = await browser.newContext({
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(test.info().project.name === 'people' ? deviceOf[intent] : {}),
      permissions: ['geolocation'],
      geolocation: position,
      locale,
    });
    await time.follow(context);
    return context;
  };
  const signIn = async (page: Page) => {
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/tabs\/menu\//);
    return page;
  };
  const context = await device();
  const origin = baseURL ?? '';
  const post = async (path: string, data: unknown) => {
    // An account keeps the language of the page it signed up in.
    const headers = { origin, 'accept-language': locale };
    const response = await context.request.post(`/api/auth${path}`, { data, headers });
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
    return (await response.json()) as { token: string; user: object };
  };
  await post('/sign-up/email', { email, password });
  await post('/send-verification-email', {});
  const link = await mailedLink(context.request, email, /\/login\?/);
  await post('/verify-email', { token: new URL(link).searchParams.get('verify') });
  const api: Person['api'] = async (method, path, body) => {
    const { token } = await post('/access-token', {});
    const response = await context.request.fetch(`/api${path}`, {
      method,
      ...(body === undefined ? {} : { data: body }),
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID(), origin },
    });
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
    return (await response.json()) as Answer;
  };
  await api('PATCH', '/profiles/me', { name });
  await api('PATCH', '/accounts/me', { name, intent });
  const page = await context.newPage();
  // Any page of this origin works: the session is stored as sign-in stores it (apps/web/src/lib/session.ts).
  await page.goto('/health/live');
  await page.evaluate(
    ({ user, token }) => {
      localStorage.setItem('user', JSON.stringify(user));
      localStorage.setItem('access-token', token);
    },
    await post('/access-token', {}),
  );
  return { page, context, name, email, api, elsewhere: async () => signIn(await (await device()).newPage()) };
}

/** A business owned by this person, with some money in its balance by default. */
export async function businessOf(owner: Person, name: string, moneyMinor = 200_000): Promise<Answer> {
  const business = await owner.api('POST', '/businesses', {
    name,
    legalName: `${name} B.V.`,
    registrationNumber: '',
    category: 'hospitality',
    description: 'A coffee bar on a corner, open from seven.',
    email: null,
    phone: null,
    website: null,
    logoFileId: null,
    address: 'Westerstraat 112',
    area: 'Jordaan',
    countryCode: 'NL',
    lat: doorPosition.latitude,
    lng: doorPosition.longitude,
    privateAddress: false,
  });
  if (moneyMinor > 0) await topUp(owner, business.id, moneyMinor);
  return business;
}

/** The token of a card that pays, from the sandbox's form or the page of Stripe's stand-in. */
async function cardToken(owner: Person, businessId: string): Promise<string> {
  const number = '4242424242424242';
  const { tokenUrl } = await owner.api('GET', `/businesses/${businessId}/wallet`);
  if (tokenUrl !== null) {
    const answer = await owner.context.request.post('/sandbox/tokens', {
      data: { kind: 'card', number, expiresMonth: 12, expiresYear: 2040, cvc: '123' },
    });
    return ((await answer.json()) as { token: string }).token;
  }
  const { url } = await owner.api('POST', `/businesses/${businessId}/card-page`, {});
  const form = { button: 'Continue', number };
  const answer = await owner.context.request.post(String(url), { form, maxRedirects: 0 });
  return new URL(answer.headers().location ?? '').searchParams.get('saved') ?? '';
}

async function topUp(owner: Person, businessId: string, amountMinor: number): Promise<void> {
  const token = await cardToken(owner, businessId);
  const card = await owner.api('POST', `/businesses/${businessId}/cards`, { token });
  const input = { amountMinor, currency: 'EUR', cardId: card.id };
  const charge = await owner.api('POST', `/businesses/${businessId}/top-ups`, input);
  await expect(async () => {
    expect(await owner.api('GET', `/charges/${charge.id}`)).toMatchObject({ status: 'succeeded' });
  }).toPass({ timeout: 30_000 });
}

type ShiftOptions = {
  title: string;
  daysAhead?: number;
  headCount?: number;
  instantHire?: boolean;
  place?: { address: string; area: string; lat: number; lng: number; privateAddress: boolean };
};
export type Shift = { id: string; title: string; startsAt: Date; endsAt: Date };

const hourMs = 3_600_000;

export async function shiftOf(
  owner: Person,
  businessId: string,
  time: Time,
  options: ShiftOptions,
): Promise<Shift> {
  const { daysAhead = 3, ...rest } = options;
  const day = new Date(time.now().getTime() + daysAhead * 24 * hourMs).toISOString().slice(0, 10);
  const startsAt = new Date(`${day}T09:00:00Z`);
  const endsAt = new Date(startsAt.getTime() + 6 * hourMs);
  return openJob(owner, businessId, { ...rest, startsAt, endsAt });
}

export async function openJob(
  owner: Person,
  businessId: string,
  { startsAt, endsAt, ...rest }: Omit<ShiftOptions, 'daysAhead'> & { startsAt: Date; endsAt: Date },
): Promise<Shift> {
  const draft = await owner.api('POST', `/businesses/${businessId}/jobs`, {
    kind: 'shift',
    category: 'hospitality',
    description: 'You run the bar with one other, about 200 drinks on a morning.',
    payMinor: 1800,
    headCount: 1,
    breakMinutes: 30,
    breakPaid: false,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...rest,
  });
  await owner.api('POST', `/jobs/${draft.id}/publish`);
  return { id: draft.id, title: rest.title, startsAt, endsAt };
}

/** The start of most journeys: a business with an open shift, and a worker who has not applied yet. */
export async function openShift(
  parts: Parts,
  { moneyMinor, locale, ...options }: ShiftOptions & { moneyMinor?: number; locale?: string },
): Promise<{ nadia: Person; leila: Person; business: Answer; shift: Shift }> {
  const [nadia, leila] = await Promise.all([
    signedInPerson(parts, 'Nadia Rahmani', 'hire', doorPosition, locale),
    signedInPerson(parts, 'Leila Haddad', 'work', doorPosition, locale),
  ]);
  const business = await businessOf(nadia, 'Kopi and Crumb', moneyMinor);
  return { nadia, leila, business, shift: await shiftOf(nadia, business.id, parts.time, options) };
}

export const applyForJob = (worker: Person, jobId: string): Promise<Answer> =>
  worker.api('POST', `/jobs/${jobId}/applications`, {
    coverNote: 'I have worked a bar for three years.',
    answers: [],
  });

export function recordAttendance(
  worker: Person,
  engagementId: unknown,
  move: 'check-in' | 'check-out',
  now: Date,
): Promise<Answer> {
  const at = now.toISOString();
  return worker.api('POST', `/engagements/${engagementId}/${move}`, {
    at,
    sentAt: at,
    position: { lat: doorPosition.latitude, lng: doorPosition.longitude, accuracyM: 12 },
  });
}

/** A shift from its application to submitted hours, without clicking; the clock is then after its end. */
export async function hoursSent(
  hirer: Person,
  worker: Person,
  shift: Shift,
  time: Time,
  breakMinutes = 30,
): Promise<{ engagementId: string; version: number }> {
  const application = await applyForJob(worker, shift.id);
  const offer = await hirer.api('POST', `/applications/${application.id}/offers`, { message: '' });
  const accepted = await worker.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  const engagementId = String(accepted.engagementId);
  await time.to(new Date(shift.startsAt.getTime() - 300_000));
  await recordAttendance(worker, engagementId, 'check-in', time.now());
  await time.to(new Date(shift.endsAt.getTime() + 300_000));
  const left = await recordAttendance(worker, engagementId, 'check-out', time.now());
  const { version } = await worker.api('POST', `/engagements/${engagementId}/hours`, {
    version: left.version,
    startsAt: shift.startsAt.toISOString(),
    endsAt: shift.endsAt.toISOString(),
    breakMinutes,
    note: '',
  });
  return { engagementId, version };
}

export const clockOf = (instant: Date) =>
  instant.toLocaleTimeString('en-GB', { timeZone: 'Europe/Amsterdam', hour: '2-digit', minute: '2-digit' });

/** Visible text: earlier pages stay in the document, but hidden. */
export const visibleText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first();

export const exactText = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).filter({ visible: true }).first();

export const visibleButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();
