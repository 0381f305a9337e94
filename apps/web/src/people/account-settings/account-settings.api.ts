import type { AccountSettings } from '@nearhand/contract/people/account-settings';
import { QueryObserver, useMutation } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { dropDraft, readDraft, storeDraft } from '../../lib/device/device-draft.ts';
import {
  appearance,
  clock,
  type DeviceSetting,
  language,
  startSide,
  units,
} from '../../lib/device/device-setting.ts';
import { session } from '../../lib/session.ts';

const onDevice = { appearance, units, clock, startSide, language };
export type SettingName = keyof typeof onDevice;
type ValueOf<Name extends SettingName> = NonNullable<AccountSettings[Name]>;

const settingsKey = apiQuery.accountSettings.get.queryKey();
const mutationKey = ['choose-setting'];

/** Applies the account's settings; unset and unknown ones keep this device's value. */
function applyToDevice(settings: AccountSettings): void {
  const unsent = unsentSettings();
  for (const [name, setting] of Object.entries(onDevice)) {
    const value = settings[name as SettingName];
    if (value !== null && !(name in unsent)) (setting as DeviceSetting<string>).set(value);
  }
}

/**
 * Keeps this device's settings like the account's, even when another device changes them. Called once, by the
 * app.
 */
export function followAccountSettings(): void {
  const options = (accountId: string | undefined) =>
    apiQuery.accountSettings.get.queryOptions({ enabled: accountId !== undefined });
  let accountId = session.user()?.id;
  const observer = new QueryObserver(queryClient, options(accountId));
  observer.subscribe(({ data, isFetching }) => {
    if (!data || isFetching || !accountId || queryClient.isMutating({ mutationKey }) > 0) return;
    applyToDevice(data);
    void sendUnsent();
  });
  void sendUnsent();
  session.subscribe(() => {
    if (session.user()?.id === accountId) return;
    accountId = session.user()?.id;
    observer.setOptions(options(accountId));
    void sendUnsent();
  });
}

/** The call was lost, or the server is busy. */
const mayWorkLater = (error: unknown): boolean =>
  isNetworkError(error) || isApiError(error, 'request/unavailable', 'request/too-many');

let isSending = false;

/** Sends choices that were not sent yet: at a start, and whenever the account's settings arrive. */
async function sendUnsent(): Promise<void> {
  const values = unsentSettings();
  if (isSending || !session.user() || Object.keys(values).length === 0) return;
  isSending = true;
  try {
    const saved = await api.accountSettings.update(values);
    // A response in flight may be older.
    await queryClient.cancelQueries({ queryKey: settingsKey });
    dropUnsent(values);
    queryClient.setQueryData(settingsKey, saved);
  } catch (error) {
    // After a refusal the account's saved settings apply again.
    if (!mayWorkLater(error)) dropUnsent(values);
  } finally {
    isSending = false;
  }
}

/**
 * Changes a setting (`accountSettings.update`): applied at once, reverted if refused. Sent in order, even
 * after a reload or once the network is back.
 */
export function useChooseSetting() {
  const change = useMutation({
    ...apiQuery.accountSettings.update.mutationOptions({
      onSuccess: (saved) => queryClient.setQueryData(settingsKey, saved),
      onSettled: (_saved, error, sent) => {
        if (!mayWorkLater(error)) dropUnsent(sent);
      },
    }),
    mutationKey,
    scope: { id: 'choose-setting' },
  });
  return <Name extends SettingName>(
    name: Name,
    value: ValueOf<Name>,
    onError: (failure: unknown) => void,
  ): void => {
    const setting = onDevice[name] as DeviceSetting<string>;
    const before = setting.get();
    setting.set(value);
    if (!session.user()) return;
    storeUnsent(name, value);
    change.mutate(
      { [name]: value },
      {
        onError: (failure) => {
          if (mayWorkLater(failure)) return;
          if (setting.get() === value) setting.set(before);
          onError(failure);
        },
      },
    );
  };
}

const key = 'unsent-settings';

type Values = Readonly<Record<string, string>>;
const isValues = (value: unknown): value is Values =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((value) => typeof value === 'string');

/** Settings the server has not confirmed yet: a reload must not lose them. */
export const unsentSettings = (): Values => readDraft(key, isValues) ?? {};

export const storeUnsent = (name: string, value: string): void =>
  void storeDraft(key, { ...unsentSettings(), [name]: value });

/** Removes confirmed settings; a newer choice of the same setting stays. */
export function dropUnsent(answered: Readonly<Record<string, unknown>>): void {
  const unconfirmed = Object.entries(unsentSettings()).filter(([name, value]) => answered[name] !== value);
  if (unconfirmed.length === 0) dropDraft(key);
  else storeDraft(key, Object.fromEntries(unconfirmed));
}
