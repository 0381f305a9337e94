import type { Account } from '@nearhand/contract/people/accounts';
import type { StoredFile } from '@nearhand/contract/people/files';
import { type Intent, intents } from '@nearhand/contract/people/profile-choices';
import { profileProblems } from '@nearhand/contract/people/profiles.rules';
import { del, get, set } from 'idb-keyval';
import { api } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { side } from '../../lib/device/device-setting.ts';
import { onBackOnline } from '../../lib/device/online.ts';
import { registerBusinessPath } from '../../lib/pages/post-login-redirect.ts';
import { session } from '../../lib/session.ts';
import { withHomeCountry } from '../places/find-place.ts';
import { saveAcceptedTerms } from '../terms-of-use/terms-of-use.api.ts';
import {
  changesOfProfile,
  emptyProfile,
  isProfileForm,
  type ProfileField,
  type ProfileForm,
} from './profile-form.rules.ts';

/** The draft of the sign-up steps, on the device until it is saved with the account (ADR 14). */
export type SignUpSteps = {
  form: ProfileForm;
  intent: Intent | null;
  /** The saved profile that the draft started from; only differences are saved. */
  base?: ProfileForm;
};
export type StepFile = 'photo' | 'cv';

const stepsKey = (owner: string) => `nearhand-sign-up:${owner}`;
const fileKey = (owner: string, file: StepFile) => `nearhand-sign-up-file:${owner}:${file}`;
const guest = 'guest';
const owner = () => session.user()?.id ?? guest;

function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

function isSteps(value: unknown): value is SignUpSteps {
  if (typeof value !== 'object' || value === null) return false;
  const { form, intent, base } = value as Record<string, unknown>;
  return (
    isProfileForm(form) &&
    (base === undefined || isProfileForm(base)) &&
    (intent === null || intents.some((option) => option === intent))
  );
}

function readStored(ownerId: string): string | null {
  try {
    return storage()?.getItem(stepsKey(ownerId)) ?? null;
  } catch {
    return null;
  }
}

function stepsIn(text: string | null): SignUpSteps | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    return isSteps(stored) ? stored : null;
  } catch {
    return null;
  }
}

const readFor = (ownerId: string): SignUpSteps | null => stepsIn(readStored(ownerId));

export const readSteps = (): SignUpSteps | null => readFor(owner());

export function storeSteps(steps: SignUpSteps): void {
  try {
    storage()?.setItem(stepsKey(owner()), JSON.stringify(steps));
  } catch {
    // If storage is full or blocked, the draft lasts only as long as the page.
  }
}

/** Files can't be uploaded before the email is verified; IndexedDB keeps them until then. */
export const readStepFile = (file: StepFile): Promise<File | null> =>
  get<File>(fileKey(owner(), file)).then(
    (file) => file ?? null,
    () => null,
  );

/** Returns whether the device stored the file. */
export const storeStepFile = (file: StepFile, chosenFile: File | null): Promise<boolean> =>
  (chosenFile ? set(fileKey(owner(), file), chosenFile) : del(fileKey(owner(), file))).then(
    () => true,
    () => false,
  );

function clearTyped(ownerId: string): void {
  try {
    storage()?.removeItem(stepsKey(ownerId));
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

const deleteFiles = (ownerId: string): Promise<unknown> =>
  Promise.all([del(fileKey(ownerId, 'photo')), del(fileKey(ownerId, 'cv'))]).catch(() => {});

let saving: Promise<void> = Promise.resolve();

/** Saves and clears the user's draft and accepted terms. A no-op if there are none. Rejects with an ApiError. */
export function saveSteps(): Promise<void> {
  // Runs one save after the other; input during a save goes with the next.
  saving = saving
    .catch(() => {})
    // Terms first, so that refetched data already includes them.
    .then(saveAcceptedTerms)
    .finally(save);
  return saving;
}

async function save(): Promise<void> {
  const user = session.user();
  if (!user) return;
  const storedSteps = readStored(user.id);
  const steps = stepsIn(storedSteps);
  // Files stay on the device until the email is verified.
  const [photo, cv] = user.emailVerified
    ? await Promise.all([readStepFile('photo'), readStepFile('cv')])
    : [null, null];
  if (!steps && !photo && !cv) return;
  const base = steps?.base ?? emptyProfile();
  const changes = steps ? changesOfProfile(base, withoutFaults(steps.form, base)) : {};
  const [photoFile, cvFile] = await Promise.all([upload('photo', photo), upload('cv', cv)]);
  const input = {
    ...changes,
    ...(photoFile ? { photoFileId: photoFile.id } : {}),
    ...(cvFile ? { cvFileId: cvFile.id } : {}),
  };
  if (Object.keys(input).length > 0) await withRecentProof(api.profiles.save)(await withHomeCountry(input));
  if (steps?.intent) {
    // Runs first: the mailed link may open on this device before the response arrives.
    if (steps.intent !== 'both') side.set(steps.intent);
    await api.accounts.update({ intent: steps.intent });
  }
  if (readStored(user.id) === storedSteps) clearTyped(user.id);
  if (user.emailVerified) await deleteFiles(user.id);
  refetchChanged(['profile']);
  if (input.name)
    void auth()
      .idToken({ fresh: true })
      .catch(() => null);
}

/** Drops incomplete parts that the server would refuse, so the rest can be saved. */
function withoutFaults(form: ProfileForm, base: ProfileForm): ProfileForm {
  const faulty = Object.keys(profileProblems(form)) as ProfileField[];
  return { ...form, ...Object.fromEntries(faulty.map((field) => [field, base[field]])) };
}

const refusals = [
  'file/too-large',
  'file/wrong-type',
  'file/unreadable',
  'request/too-large',
  'file/active-content',
  'file/locked',
  'file/unpacks-too-large',
] as const;

/** One alert after the other, because a second one would replace the first. */
let refusedFileAlerts: Promise<unknown> = Promise.resolve();

/** Drops a file that the server refuses, and says so; the profile asks for it again. */
async function upload(purpose: StepFile, file: File | null): Promise<StoredFile | null> {
  if (!file) return null;
  try {
    return await api.files.upload({ purpose, file });
  } catch (failure) {
    if (!isApiError(failure, ...refusals)) throw failure;
    refusedFileAlerts = refusedFileAlerts
      .then(() => import('./profile-files.tsx'))
      .then(({ alertRefusedFile }) => alertRefusedFile(purpose, failure))
      .catch(() => {});
    return null;
  }
}

async function adoptFiles(ownerId: string): Promise<void> {
  for (const file of ['photo', 'cv'] as const) {
    const chosenFile = await get<File>(fileKey(guest, file)).catch(() => undefined);
    if (chosenFile) await set(fileKey(ownerId, file), chosenFile).catch(() => {});
  }
  await deleteFiles(guest);
}

/** A guest's draft and files go to the new account, never to an existing one. */
function adopt(): void {
  const user = session.user();
  if (!user || user.emailVerified || readFor(user.id)) return;
  const guestSteps = readFor(guest);
  if (guestSteps) storeSteps(guestSteps);
  clearTyped(guest);
  void adoptFiles(user.id);
}

/** The step of sign-up at which someone without a name goes on. Null if none is left. */
export async function leftStep({ intent, name, memberships }: Account): Promise<string | null> {
  if (name !== '') return null;
  if (intent === 'hire') return memberships.length === 0 ? registerBusinessPath : null;
  if (intent === null) return '/complete-signup';
  return (await api.profiles.mine()).skills.length === 0 ? '/expertise' : '/fill-profile';
}

/** Called once by the app: saves the draft at every sign-in, once verified, and when back online. */
export function saveStepsWhenSignedIn(): void {
  let lastAccount = '';
  const look = () => {
    adopt();
    const user = session.user();
    const now = user ? `${user.id} ${user.emailVerified}` : '';
    if (now === lastAccount) return;
    lastAccount = now;
    void saveSteps().catch(() => {});
  };
  look();
  session.subscribe(look);
  onBackOnline(() => void saveSteps().catch(() => {}));
}
