import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { labelName } from '../people/names.ts';
import { kioskPinShape, pairingCodeShape } from './attendance.rules.ts';
import { workLimits } from './limits.ts';

/** A tablet at the door of a branch. `pairedAt` is null while its code waits to be typed. */
export const kiosk = z.object({
  id,
  branchId: id,
  branchName: z.string(),
  name: z.string(),
  pairedAt: instant.nullable(),
  /** The last connection, to about ten minutes. */
  seenAt: instant.nullable(),
});
export type Kiosk = z.infer<typeof kiosk>;

/** A booked shift as the tablet shows it: first name and initial only. */
export const kioskShift = z.object({
  engagementId: id,
  name: z.string(),
  title: z.string(),
  startsAt: instant,
  endsAt: instant,
  /** Null before the first check-in and after a check-out. */
  hereSince: instant.nullable(),
  onBreakSince: instant.nullable(),
});
export type KioskShift = z.infer<typeof kioskShift>;

export const kioskDay = z.object({
  businessName: z.string(),
  branchName: z.string(),
  timeZone: z.string(),
  contactName: z.string(),
  /** Minutes before the start from which a check-in is accepted. */
  opensMinutes: z.number().int(),
  /** The check-in code for phones, and those of the next hours, for a tablet without a network. */
  code: z.string(),
  validUntil: instant,
  ahead: z.array(z.string()).max(workLimits.siteCodeAheadMinutes),
  /** Shifts that are on, or start within 12 hours; by start. */
  shifts: z.array(kioskShift).max(workLimits.kioskShiftsMax),
});
export type KioskDay = z.infer<typeof kioskDay>;

/** Identifies a paired tablet until a manager removes it. */
const token = z.string().regex(/^[0-9a-f-]{36}\.[\w-]{43}$/);

export const kioskRecord = z.object({
  token,
  engagementId: id,
  kind: z.enum(['check_in', 'check_out', 'break_start', 'break_end']),
  pin: z.string().regex(kioskPinShape),
  /** Times of the tap and of sending, by the tablet's clock. */
  at: instant,
  sentAt: instant,
});
export type KioskRecord = z.infer<typeof kioskRecord>;

/** Check-in on a tablet of the business, by PIN (product.md, *Tablet at the door*). */
export const kiosks = {
  list: operation({ access: 'member:coordinator', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/kiosks',
      summary: "The tablets of a business's branches, by branch and name",
    })
    .input(z.object({ businessId: id }))
    .output(z.object({ kiosks: z.array(kiosk), canManage: z.boolean() })),
  create: operation({
    access: 'member:manager',
    errors: [
      'branch/not-found',
      'branch/closed',
      'business/not-allowed',
      'business/wrong-state',
      'kiosk/too-many',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/branches/{branchId}/kiosks',
      summary: 'Add a tablet; its pairing code is valid for 15 minutes, once',
      successStatus: 201,
    })
    .input(z.object({ branchId: id, name: labelName(workLimits.kioskNameMax) }))
    .output(z.object({ kiosk, code: z.string().regex(pairingCodeShape), validUntil: instant })),
  remove: operation({
    access: 'member:manager',
    errors: ['kiosk/not-found', 'business/not-allowed'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'DELETE',
      path: '/kiosks/{kioskId}',
      summary: 'Remove a tablet; it stops working at once',
    })
    .input(z.object({ kioskId: id }))
    .output(z.null()),
  pair: operation({ access: 'public', errors: ['kiosk/wrong-code'], effects: [], whileSuspended: 'owed' })
    .route({ method: 'POST', path: '/kiosk/pair', summary: 'Pair this tablet by the code a manager sees' })
    .input(z.object({ code: z.string().regex(pairingCodeShape) }))
    .output(z.object({ token })),
  day: operation({ access: 'public', errors: ['kiosk/not-found'], effects: [], whileSuspended: 'owed' })
    .route({ method: 'POST', path: '/kiosk/day', summary: 'What a paired tablet shows' })
    .input(z.object({ token }))
    .output(kioskDay),
  record: operation({
    access: 'public',
    errors: [
      'kiosk/not-found',
      'engagement/not-found',
      'engagement/wrong-state',
      'engagement/too-early',
      'engagement/too-late',
      'engagement/not-funded',
      'attendance/time-impossible',
      'attendance/wrong-code',
      'attendance/code-attempts',
      'attendance/on-break',
      'attendance/not-on-break',
    ],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({ method: 'POST', path: '/kiosk/record', summary: 'Record a time on a paired tablet, by PIN' })
    .input(kioskRecord)
    .output(z.null()),
  pin: operation({ access: 'verified', errors: ['engagement/not-found'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/kiosk-pin',
      summary: "The worker's PIN for the tablet at the door; null if the branch has none",
    })
    .input(z.object({ engagementId: id }))
    .output(z.object({ pin: z.string().nullable() })),
};
