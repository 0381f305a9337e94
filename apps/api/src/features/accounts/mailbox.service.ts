import type { Db } from '../../platform/db.ts';
import { confirmAddress, isAddressRefused } from '../notifications/deliveries.service.ts';

/** Whether the mail server of a verified account said since that there is no such address, so that it may ask for a link once more. */
export const mailComesBack = (db: Db, accountId: string): Promise<boolean> => isAddressRefused(db, accountId);

/** Somebody followed a link that we mailed there: mail goes to that address again. */
export const confirmMailbox = (db: Db, address: string): Promise<void> => confirmAddress(db, address);
