import { z } from 'zod';

const one = z.object({ exportId: z.uuid() });

/** Makes an export. */
export const makeExport = { name: 'data-exports.make', payload: one };
/** Deletes the file of an export when its link expires. */
export const expireExport = { name: 'data-exports.expire', payload: one };
/** Mails the link. */
export const sendExport = {
  name: 'data-exports.send',
  payload: z.object({ to: z.string(), link: z.string(), hours: z.number().int(), key: z.string() }),
};
