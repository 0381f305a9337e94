import type { KioskDay, KioskRecord, KioskShift } from '@nearhand/contract/work/kiosks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { canRetry } from '../../lib/device/device-queue.ts';
import { isOnline } from '../../lib/device/online.ts';
import { readStored, writeStored } from '../../lib/device/stored.ts';
import { createStore } from '../../lib/store.ts';

/** A time recorded on this tablet, until the server has it. A refused one waits to be read. */
export type KioskEntry = Pick<KioskRecord, 'engagementId' | 'kind' | 'pin' | 'at'> & {
  name: string;
  refusal: string | null;
};

/** The state of this device as a tablet at the door. Nobody is signed in, so it belongs to no account. */
type Tablet = { token: string; day: KioskDay | null; readAt: string | null; entries: KioskEntry[] };

const storageKey = 'nearhand-kiosk';

function storedTablet(): Tablet | null {
  try {
    const tablet = JSON.parse(readStored(storageKey) ?? 'null');
    return typeof tablet?.token === 'string' && Array.isArray(tablet.entries) ? tablet : null;
  } catch {
    return null;
  }
}

const store = createStore<Tablet | null>(storedTablet());
export const useTablet = store.useValue;

function storeTablet(tablet: Tablet | null): boolean {
  store.set(tablet);
  return writeStored(storageKey, tablet && JSON.stringify(tablet));
}

export const forgetTablet = (): void => void storeTablet(null);

const change = (changes: Partial<Tablet>): boolean => {
  const tablet = store.get();
  return tablet === null ? false : storeTablet({ ...tablet, ...changes });
};

/** Makes this device the tablet of the code (`kiosks.pair`). */
export async function pairTablet(code: string): Promise<void> {
  const { token } = await api.kiosks.pair({ code });
  storeTablet({ token, day: null, readAt: null, entries: [] });
  await refreshTablet();
}

/**
 * Reads what the tablet shows (`kiosks.day`). A tablet that was removed forgets everything. Its times are sent before,
 * since that of a closed branch is removed after the last shift.
 */
export async function refreshTablet(now = new Date()): Promise<void> {
  await sendEntries();
  const token = store.get()?.token;
  if (token === undefined || !isOnline()) return;
  try {
    const day = await api.kiosks.day({ token });
    change({ day, readAt: now.toISOString() });
  } catch (error) {
    if (isApiError(error, 'kiosk/not-found', 'request/invalid')) forgetTablet();
    else if (!canRetry(error)) throw error;
  }
}

let running: Promise<void> | null = null;

/** Sends what is recorded, in order; concurrent calls share one run. */
export function sendEntries(): Promise<void> {
  running ??= send().finally(() => {
    running = null;
  });
  return running;
}

async function send(): Promise<void> {
  for (;;) {
    const tablet = store.get();
    const entry = tablet?.entries.find(({ refusal }) => refusal === null);
    if (!tablet || !entry || !isOnline()) return;
    const { name: _name, refusal: _refusal, ...fact } = entry;
    const sentAt = new Date(Math.max(Date.now(), Date.parse(entry.at))).toISOString();
    const settle = (refusal: string | null) =>
      change({
        entries: (store.get()?.entries ?? []).flatMap((stored) =>
          stored.at !== entry.at ? [stored] : refusal === null ? [] : [{ ...stored, refusal }],
        ),
      });
    try {
      await api.kiosks.record({ token: tablet.token, ...fact, sentAt });
      settle(null);
    } catch (error) {
      if (canRetry(error)) return;
      if (isApiError(error, 'kiosk/not-found')) return forgetTablet();
      settle(isApiError(error) ? error.code : 'request/invalid');
    }
  }
}

export type Recording =
  | { state: 'sent' }
  | { state: 'waiting' }
  | { state: 'lost' }
  | { state: 'refused'; refusal: string };

/** Stores a time on the tablet, then sends it. A time refused at once is shown and forgotten. */
export async function recordEntry(
  shift: KioskShift,
  kind: KioskRecord['kind'],
  pin: string,
  now = new Date(),
): Promise<Recording> {
  const at = now.toISOString();
  const entry = { engagementId: shift.engagementId, name: shift.name, kind, pin, at, refusal: null };
  const isStored = change({ entries: [...(store.get()?.entries ?? []), entry] });
  await sendEntries();
  const unsentEntry = store.get()?.entries.find((entry) => entry.at === at);
  if (unsentEntry?.refusal) {
    dropEntry(at);
    return { state: 'refused', refusal: unsentEntry.refusal };
  }
  if (!unsentEntry) {
    await refreshTablet();
    return { state: 'sent' };
  }
  if (isStored) return { state: 'waiting' };
  dropEntry(at);
  return { state: 'lost' };
}

export const dropEntry = (at: string): boolean =>
  change({ entries: (store.get()?.entries ?? []).filter((entry) => entry.at !== at) });

/** A shift as the tablet knows it, with the times that wait to be sent. */
export function withEntries(shift: KioskShift, entries: readonly KioskEntry[]): KioskShift {
  let { hereSince, onBreakSince } = shift;
  for (const { engagementId, kind, at, refusal } of entries) {
    if (engagementId !== shift.engagementId || refusal !== null) continue;
    if (kind === 'check_in') hereSince = at;
    if (kind === 'check_out') hereSince = null;
    onBreakSince = kind === 'break_start' ? at : null;
  }
  return { ...shift, hereSince, onBreakSince };
}

/** The tablets of a business (`kiosks.list`). */
export const useKiosks = (businessId: string) =>
  useQuery(apiQuery.kiosks.list.queryOptions({ input: { businessId } }));

export function useKioskMoves() {
  const onSettled = () => refetchChanged(['business']);
  return {
    create: useMutation(apiQuery.kiosks.create.mutationOptions({ onSettled })),
    remove: useMutation(apiQuery.kiosks.remove.mutationOptions({ onSettled })),
  };
}

/** The worker's PIN for a shift (`kiosks.pin`). */
export const useKioskPin = (engagementId: string) =>
  useQuery(apiQuery.kiosks.pin.queryOptions({ input: { engagementId } }));
