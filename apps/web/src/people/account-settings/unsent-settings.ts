import { dropDraft, keepDraft, readDraft } from '../../lib/device/device-draft.ts';

const key = 'unsent-settings';

type Values = Readonly<Record<string, string>>;
const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');

/** Settings that the signed-in person chose here and the server has not answered for yet: a reload in between may not lose them. */
export const unsentSettings = (): Values => readDraft(key, isValues) ?? {};

export const keepUnsent = (name: string, value: string): void =>
  void keepDraft(key, { ...unsentSettings(), [name]: value });

/** Removes what the server has answered for; a newer choice of the same setting stays. */
export function dropUnsent(answered: Readonly<Record<string, unknown>>): void {
  const left = Object.entries(unsentSettings()).filter(([name, value]) => answered[name] !== value);
  if (left.length === 0) dropDraft(key);
  else keepDraft(key, Object.fromEntries(left));
}
