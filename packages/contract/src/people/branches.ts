import { z } from 'zod';
import { id, line, operation, prose, version } from '../operation.ts';
import { branchLimits, giveawayModes } from './branches.rules.ts';
import { businessName, personName } from './names.ts';
import { chosenTimeZone, point } from './places.ts';
import { phone } from './profiles.ts';

/** The caller's possible actions. A branch that was never used can be deleted; a used one is closed. */
export const branchActions = ['edit', 'close', 'reopen', 'delete'] as const;
export type BranchAction = (typeof branchActions)[number];

export const branchInput = z.object({
  /** Unique among the open branches of a business, ignoring case. */
  name: businessName(branchLimits.name),
  address: line(branchLimits.address),
  /** Town or neighbourhood, shown instead of the exact address. */
  area: line(branchLimits.area),
  ...point.shape,
  /** True for a home, which is shown blurred until a hire. */
  privateAddress: z.boolean(),
  timeZone: chosenTimeZone,
  /** The contact for workers; shown after a hire, as are the phone number and the notes. */
  contactName: personName(branchLimits.contactName, 0),
  contactPhone: phone.nullable(),
  openingNotes: prose(branchLimits.openingNotes),
  /** The rule for giving away booked shifts of this branch (ADR 385). */
  giveaways: z.enum(giveawayModes),
});
export type BranchInput = z.infer<typeof branchInput>;

export const branch = z.object({
  id,
  version,
  name: z.string(),
  address: z.string(),
  area: z.string(),
  lat: z.number(),
  lng: z.number(),
  privateAddress: z.boolean(),
  timeZone: z.string(),
  contactName: z.string(),
  contactPhone: z.string().nullable(),
  openingNotes: z.string(),
  giveaways: z.enum(giveawayModes),
  closed: z.boolean(),
  openJobs: z.number().int(),
  actions: z.array(z.enum(branchActions)),
});
export type Branch = z.infer<typeof branch>;

const branchRef = z.object({ branchId: id });
const changeRefused = ['branch/not-found', 'business/not-allowed', 'business/wrong-state'] as const;

/** Branches of a business: the places of its jobs. */
export const branches = {
  list: operation({ access: 'member', errors: ['business/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/branches',
      summary: 'Branches of a business (at most 200), open ones first, by name',
    })
    .input(z.object({ businessId: id }))
    .output(z.object({ branches: z.array(branch), canCreate: z.boolean() })),
  create: operation({
    access: 'member:manager',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/wrong-state',
      'branch/name-taken',
      'branch/too-many',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/branches',
      summary: 'Add a branch',
      successStatus: 201,
    })
    .input(branchInput.extend({ businessId: id }))
    .output(branch),
  update: operation({
    access: 'member:manager',
    errors: [...changeRefused, 'branch/stale', 'branch/name-taken'],
    effects: [],
  })
    .route({
      method: 'PATCH',
      path: '/branches/{branchId}',
      summary: 'Edit a branch; its jobs keep their address',
    })
    .input(branchInput.partial().extend({ branchId: id, version }))
    .output(branch),
  close: operation({ access: 'member:manager', errors: changeRefused, effects: [] })
    .route({
      method: 'POST',
      path: '/branches/{branchId}/close',
      summary: 'Close a branch: its jobs stay, and no others can be added',
    })
    .input(branchRef)
    .output(branch),
  reopen: operation({
    access: 'member:manager',
    errors: [...changeRefused, 'branch/name-taken'],
    effects: [],
  })
    .route({ method: 'POST', path: '/branches/{branchId}/reopen', summary: 'Open a closed branch again' })
    .input(branchRef)
    .output(branch),
  delete: operation({ access: 'member:manager', errors: [...changeRefused, 'branch/in-use'], effects: [] })
    .route({
      method: 'DELETE',
      path: '/branches/{branchId}',
      summary: 'Delete a branch that was never used',
    })
    .input(branchRef)
    .output(z.object({ deleted: z.literal(true) })),
};
