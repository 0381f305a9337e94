import { z } from 'zod';

const payload = z.object({ offerId: z.uuid() });

/** The timers of an offer, with payload and key. */
export const expiry = { name: 'offers.expire', payload };
export const reminder = { name: 'offers.remind', payload };
export const expiryKey = (offerId: string): string => `${expiry.name}/${offerId}`;
export const reminderKey = (offerId: string): string => `${reminder.name}/${offerId}`;
