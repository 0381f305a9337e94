import { z } from 'zod';
import { houseRules, suspensionScopes } from '../house-rules.ts';
import { limits } from '../limits.ts';
import { memberRoles } from '../member-roles.ts';
import { id, idAndName, instant, operation } from '../operation.ts';
import { businessStatuses } from './businesses.rules.ts';
import { peopleLimits } from './limits.ts';
import { personName } from './names.ts';
import { intents } from './profile-choices.ts';

export const membership = z.object({
  businessId: id,
  name: z.string(),
  role: z.enum(memberRoles),
  status: z.enum(businessStatuses),
  logoPath: z.string().nullable(),
});
export type Membership = z.infer<typeof membership>;

/** A path of the app to return to, never another host. */
export const returnPath = z
  .string()
  .max(peopleLimits.returnPathMax)
  .regex(/^\/(?![/\\])[^\\\p{Cc}\p{Cs}]*$/u);

/** A running decision that keeps the account, or a business it hires for, from something. */
const restriction = z.object({
  sanctionId: id,
  /** Null for the account itself. */
  business: idAndName.nullable(),
  /** Null for a business whose verification was refused. */
  scope: z.enum(suspensionScopes).nullable(),
  rule: z.enum(houseRules),
  /** Null for one without an end date, which lasts until an operator lifts it. */
  endsAt: instant.nullable(),
});
export type Restriction = z.infer<typeof restriction>;

export const account = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  intent: z.enum(intents).nullable(),
  /** The user's destination at sign-up (ADR 194); null once they arrived. */
  returnTo: z.string().nullable(),
  createdAt: instant,
  termsAccepted: z.string().nullable(),
  termsInForce: z.string(),
  memberships: z.array(membership),
  restrictions: z.array(restriction),
  /** Excludes messages, which are counted with conversations. */
  unreadNotifications: z.number().int(),
  photoPath: z.string().nullable(),
});
export type Account = z.infer<typeof account>;

/** The signed-in account; sign-in itself is the provider's (ADR 10). */
export const accounts = {
  me: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/accounts/me', summary: 'The signed-in account' })
    .output(account),
  update: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'PATCH', path: '/accounts/me', summary: 'Change your name, intent or return path' })
    .input(
      z.object({
        name: personName(limits.nameMax).optional(),
        intent: z.enum(intents).optional(),
        returnTo: returnPath.nullable().optional(),
      }),
    )
    .output(account),
};
