import { dayMs } from '@nearhand/contract/durations';
import { storageFlag } from '../device/stored.ts';
import { session } from '../session.ts';

export const keepsForMs = 7 * dayMs;

export const currentOwner = () => session.user()?.id ?? 'guest';

/** Set while the device has stored queries. */
export const persisted = storageFlag(() => localStorage, 'nearhand-queries-stored');
