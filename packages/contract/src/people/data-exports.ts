import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';

/** `ready`: mailed, until `expiresAt`. `failed`: nothing was sent. */
export const dataExportStatuses = ['running', 'ready', 'failed', 'expired'] as const;

/** A copy of everything Nearhand stores about the account, as a ZIP file. */
export const dataExport = z.object({
  id,
  status: z.enum(dataExportStatuses),
  requestedAt: instant,
  readyAt: instant.nullable(),
  expiresAt: instant.nullable(),
  bytes: z.number().int().nullable(),
});
export type DataExport = z.infer<typeof dataExport>;

export const dataExportState = z.object({
  latest: dataExport.nullable(),
  leftToday: z.number().int(),
  perDay: z.number().int(),
  linkHours: z.number().int(),
  email: z.string(),
});
export type DataExportState = z.infer<typeof dataExportState>;

/** Copies of one's own data. The file is at `GET /data-exports/file?ticket=…`, for the requesting account only. */
export const dataExports = {
  get: operation({ access: 'verified', errors: [] })
    .route({ method: 'GET', path: '/accounts/me/data-exports', summary: 'Get your latest data export' })
    .output(dataExportState),
  request: operation({
    access: 'verified',
    errors: ['data-export/running', 'data-export/daily-limit'],
    whileLeaving: true,
    effects: ['provider-checked'],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/accounts/me/data-exports',
      summary: 'Make a copy of all your data; a link is mailed to you when it is ready',
      successStatus: 201,
    })
    .output(dataExportState),
};
