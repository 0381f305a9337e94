import { z } from 'zod';
import { limits } from '../limits.ts';
import { memberRoles } from '../member-roles.ts';
import { id, idAndName, instant, operation, pageInput, pageOf } from '../operation.ts';
import { branchLimits } from './branches.rules.ts';
import { accountEmail } from './email.ts';
import { invitationTokenShape, rolesBelowOwner, teamLimits } from './team.rules.ts';

/** The statuses of a team invitation (product.md, States). */
export const teamInvitationStatuses = ['open', 'accepted', 'declined', 'expired', 'revoked'] as const;
export type TeamInvitationStatus = (typeof teamInvitationStatuses)[number];

/** The caller's possible actions for a member. `remove` is for others, `leave` for oneself. */
export const memberActions = ['change-role', 'remove', 'leave', 'offer-ownership'] as const;
export type MemberAction = (typeof memberActions)[number];

const branchNames = z.array(idAndName).nullable();

/** Branches to limit a recruiter or coordinator to; null for all. */
const branchIds = z.array(id).min(1).max(branchLimits.branches).nullable().default(null);

export const teamMember = z.object({
  accountId: id,
  name: z.string(),
  /** Null unless the reader manages the team or is this member. */
  email: z.string().nullable(),
  photoPath: z.string().nullable(),
  role: z.enum(memberRoles),
  branches: branchNames,
  roleChoices: z.array(z.enum(memberRoles)),
  actions: z.array(z.enum(memberActions)),
  isYou: z.boolean(),
  joinedAt: instant,
  lastActiveOn: z.iso.date().nullable(),
});
export type TeamMember = z.infer<typeof teamMember>;

export const ownershipOffer = z.object({
  id,
  fromName: z.string(),
  toName: z.string(),
  you: z.enum(['from', 'to', 'other']),
  expiresAt: instant,
});
export type OwnershipOffer = z.infer<typeof ownershipOffer>;

export const teamView = z.object({
  members: z.array(teamMember),
  /** Roles that the caller may invite people to; empty for those who do not manage the team. */
  invitableRoles: z.array(z.enum(memberRoles)),
  seesLog: z.boolean(),
  ownershipOffer: ownershipOffer.nullable(),
  /** An undo restored the owners, who can't change until operators verify the business (ADR 164). */
  ownersFrozen: z.boolean(),
});
export type Team = z.infer<typeof teamView>;

/** An invitation by email, or a link: `email` is null for a link. */
export const teamInvitation = z.object({
  id,
  email: z.string().nullable(),
  role: z.enum(memberRoles),
  branches: branchNames,
  status: z.enum(teamInvitationStatuses),
  maxUses: z.number().int(),
  uses: z.number().int(),
  invitedBy: z.string(),
  sentAt: instant,
  expiresAt: instant,
  undelivered: z.boolean(),
  /** The account that opened the invitation with another address and requests one to that address. */
  askedBy: z.object({ name: z.string(), email: z.string() }).nullable(),
  canManage: z.boolean(),
});
export type TeamInvitation = z.infer<typeof teamInvitation>;

/** An invitation with its address, which only this response contains: the server stores a hash. */
export const teamLink = z.object({ invitation: teamInvitation, url: z.string() });

/** Reader of an invitation: a guest, its addressee, an account with another address, or an existing member. */
export const invitationReaders = ['guest', 'addressee', 'other-address', 'member'] as const;

export const openedInvitation = z.object({
  businessId: id,
  businessName: z.string(),
  area: z.string(),
  logoPath: z.string().nullable(),
  verified: z.boolean(),
  role: z.enum(memberRoles),
  /** Names of the branches that the role is limited to; null for all. */
  branches: z.array(z.string()).nullable(),
  status: z.enum(teamInvitationStatuses),
  invitedBy: z.string(),
  /** The invited address, which the link was mailed to; null for a link made to share. */
  email: z.string().nullable(),
  reader: z.enum(invitationReaders),
  /** True if the caller requested an invitation to their own address. */
  asked: z.boolean(),
  expiresAt: instant,
});
export type OpenedInvitation = z.infer<typeof openedInvitation>;

export const teamMoveNames = [
  'invited',
  'link-created',
  'resent',
  'link-renewed',
  'revoked',
  'declined',
  'expired',
  'joined',
  'role-changed',
  'branches-changed',
  'removed',
  'left',
  'ownership-offered',
  'ownership-withdrawn',
  'ownership-declined',
  'ownership-expired',
  'ownership-accepted',
  'owners-restored',
] as const;
export type TeamMoveName = (typeof teamMoveNames)[number];

export const teamMove = z.object({
  id,
  action: z.enum(teamMoveNames),
  /** Null if a deadline caused the move. */
  actorName: z.string().nullable(),
  /** The member or the invited address; null for a link. */
  subject: z.string().nullable(),
  fromRole: z.enum(memberRoles).nullable(),
  toRole: z.enum(memberRoles).nullable(),
  at: instant,
});
export type TeamMove = z.infer<typeof teamMove>;

/** A change of a business's owners, as shown to its previous owners. */
export const ownerChange = z.object({
  id,
  businessName: z.string(),
  personName: z.string(),
  change: z.enum(['became-owner', 'no-longer-owner']),
  actorName: z.string(),
  at: instant,
  undoBy: instant,
  /** `over`: its time has passed, or the caller restored owners of the business before it (ADR 164). */
  status: z.enum(['open', 'undone', 'over']),
});
export type OwnerChange = z.infer<typeof ownerChange>;

const ofMove = z.object({ teamMoveId: id });
const ofBusiness = z.object({ businessId: id });
const ofMember = z.object({ businessId: id, memberId: id });
const ofInvitation = z.object({ teamInvitationId: id });

/** An open invitation to the caller's verified address, as they see it in the app. */
const receivedInvitation = z.object({
  id,
  businessId: id,
  businessName: z.string(),
  role: z.enum(memberRoles),
  /** Names of the branches that the role is limited to; null for all. */
  branches: z.array(z.string()).nullable(),
  invitedBy: z.string(),
  expiresAt: instant,
});
export type ReceivedInvitation = z.infer<typeof receivedInvitation>;

const byToken = z.object({ token: z.string().regex(invitationTokenShape) });
const refused = ['business/not-found', 'business/not-allowed'] as const;
const invitationRefused = [
  'team/invitation-not-found',
  'business/not-allowed',
  'team/invitation-over',
] as const;

/** The members of a business: inviting, joining, roles, leaving, and handing over the business. */
export const team = {
  members: operation({ access: 'member', errors: ['business/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/team',
      summary: 'Members of a business (at most 200) and an open offer of its ownership',
    })
    .input(ofBusiness)
    .output(teamView),
  removals: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/team-removals',
      summary: 'Teams that you were removed from in the last 90 days and have not joined again, latest first',
    })
    .output(z.array(z.object({ businessId: id, businessName: z.string(), at: instant }))),
  invitations: operation({ access: 'member:manager', errors: [...refused, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/team/invitations',
      summary: 'Invitations and links of a business, newest first',
    })
    .input(ofBusiness.extend(pageInput))
    .output(pageOf(teamInvitation)),
  log: operation({ access: 'member:owner', errors: [...refused, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/team/log',
      summary: 'List changes of the team, newest first',
    })
    .input(ofBusiness.extend(pageInput))
    .output(pageOf(teamMove)),
  invite: operation({
    access: 'member:manager',
    errors: [
      ...refused,
      'business/wrong-state',
      'team/already-member',
      'team/already-invited',
      'team/full',
      'team/invitation-limit',
      'branch/not-found',
      'team/owners-frozen',
    ],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/invitations',
      summary: 'Invite someone by email',
      successStatus: 201,
    })
    .input(
      ofBusiness.extend({
        email: accountEmail(limits.emailMax).transform((address) => address.toLowerCase()),
        role: z.enum(memberRoles),
        branchIds,
      }),
    )
    .output(teamInvitation),
  createLink: operation({
    access: 'member:manager',
    errors: [...refused, 'business/wrong-state', 'team/full', 'team/invitation-limit', 'branch/not-found'],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/links',
      summary: 'Create a link by which one or more people can join',
      successStatus: 201,
    })
    .input(
      ofBusiness.extend({
        role: z.enum(rolesBelowOwner),
        branchIds,
        maxUses: z.number().int().min(1).max(teamLimits.linkUses),
      }),
    )
    .output(teamLink),
  resend: operation({
    access: 'member:manager',
    errors: [
      ...invitationRefused,
      'business/wrong-state',
      'team/already-member',
      'team/already-invited',
      'team/invitation-limit',
      'team/owners-frozen',
    ],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/{teamInvitationId}/resend',
      summary: 'Send an email invitation again, or to someone who asked for it; its old link stops working',
    })
    .input(ofInvitation.extend({ toAsker: z.boolean().default(false) }))
    .output(teamInvitation),
  renewLink: operation({
    access: 'member:manager',
    errors: [...invitationRefused, 'business/wrong-state', 'team/invitation-limit'],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/{teamInvitationId}/renew',
      summary: 'Give a link a new address; its old one stops working',
    })
    .input(ofInvitation)
    .output(teamLink),
  revoke: operation({ access: 'member:manager', errors: invitationRefused, effects: [] })
    .route({
      method: 'POST',
      path: '/team-invitations/{teamInvitationId}/revoke',
      summary: 'Cancel an invitation or a link',
    })
    .input(ofInvitation)
    .output(teamInvitation),
  opened: operation({ access: 'public', errors: ['team/invitation-not-found'] })
    .route({ method: 'GET', path: '/team-invitations/opened', summary: 'An invitation by its link' })
    .input(byToken)
    .output(openedInvitation),
  received: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/team-invitations/received',
      summary: 'Open invitations to your address, newest first, at most 20',
    })
    .output(z.array(receivedInvitation)),
  acceptReceived: operation({
    access: 'verified',
    errors: [
      'team/invitation-not-found',
      'team/invitation-over',
      'team/already-member',
      'team/full',
      'business/wrong-state',
      'team/owners-frozen',
    ],
    effects: ['hire', 'guarded'],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/{teamInvitationId}/accept',
      summary: 'Join a business by an invitation to your address, without its link',
    })
    .input(ofInvitation)
    .output(z.object({ businessId: id, role: z.enum(memberRoles) })),
  declineReceived: operation({
    access: 'verified',
    errors: ['team/invitation-not-found', 'team/invitation-over'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/{teamInvitationId}/decline',
      summary: 'Decline an invitation to your address, without its link',
    })
    .input(ofInvitation)
    .output(z.array(receivedInvitation)),
  accept: operation({
    access: 'verified',
    errors: [
      'team/invitation-not-found',
      'team/invitation-over',
      'team/other-address',
      'team/already-member',
      'team/full',
      'business/wrong-state',
      'team/owners-frozen',
    ],
    effects: ['hire', 'guarded:input'],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/accept',
      summary: 'Join a business by an invitation',
    })
    .input(byToken)
    .output(z.object({ businessId: id, role: z.enum(memberRoles) })),
  decline: operation({
    access: 'verified',
    errors: ['team/invitation-not-found', 'team/invitation-over', 'team/other-address'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/decline',
      summary: 'Decline an email invitation',
    })
    .input(byToken)
    .output(openedInvitation),
  ask: operation({
    access: 'verified',
    errors: ['team/invitation-not-found', 'team/invitation-over', 'team/already-member'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/team-invitations/ask',
      summary: 'Ask the business to send the invitation to your own address',
    })
    .input(byToken)
    .output(openedInvitation),
  changeRole: operation({
    access: 'member:manager',
    errors: [
      ...refused,
      'team/member-not-found',
      'team/last-owner',
      'team/role-changed',
      'branch/not-found',
      'team/owners-frozen',
    ],
    effects: ['guarded'],
  })
    .route({
      method: 'PATCH',
      path: '/businesses/{businessId}/team/{memberId}',
      summary: "Change a member's role, and the branches a recruiter is limited to",
    })
    .input(ofMember.extend({ role: z.enum(rolesBelowOwner), branchIds, fromRole: z.enum(memberRoles) }))
    .output(teamView),
  remove: operation({
    access: 'member:manager',
    errors: [...refused, 'team/last-owner', 'team/owners-frozen'],
    effects: ['guarded'],
  })
    .route({
      method: 'DELETE',
      path: '/businesses/{businessId}/team/{memberId}',
      summary: 'Remove a member, who loses access at once',
    })
    .input(ofMember)
    .output(teamView),
  leave: operation({
    access: 'member',
    errors: ['business/not-found', 'team/last-owner', 'team/owners-frozen'],
    effects: ['guarded'],
    whileSuspended: 'retreat',
  })
    .route({ method: 'POST', path: '/businesses/{businessId}/team/leave', summary: 'Leave a business' })
    .input(ofBusiness)
    .output(z.object({ businessId: id })),
  offerOwnership: operation({
    access: 'member:owner',
    errors: [
      ...refused,
      'business/wrong-state',
      'team/member-not-found',
      'team/ownership-open',
      'team/owners-frozen',
    ],
    effects: ['guarded'],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/{memberId}/ownership',
      summary: 'Offer to hand over a business to a member; needs a recently entered password',
    })
    .input(ofMember)
    .output(teamView),
  withdrawOwnership: operation({
    access: 'member:owner',
    errors: [...refused, 'team/no-ownership-offer'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/ownership/withdraw',
      summary: 'Withdraw an offer of ownership',
    })
    .input(ofBusiness)
    .output(teamView),
  acceptOwnership: operation({
    access: 'member',
    errors: ['business/not-found', 'business/wrong-state', 'team/no-ownership-offer', 'team/owners-frozen'],
    effects: ['hire', 'guarded'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/ownership/accept',
      summary:
        'Become the owner of a business; needs a recently entered password, and the business is verified again',
    })
    .input(ofBusiness)
    .output(teamView),
  declineOwnership: operation({
    access: 'member',
    errors: ['business/not-found', 'team/no-ownership-offer'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/team/ownership/decline',
      summary: 'Decline an offer of ownership',
    })
    .input(ofBusiness)
    .output(teamView),
  ownerChange: operation({ access: 'verified', errors: ['team/change-not-found'] })
    .route({
      method: 'GET',
      path: '/team-changes/{teamMoveId}',
      summary: 'A change of the owners of a business, for those who owned it before',
    })
    .input(ofMove)
    .output(ownerChange),
  undoOwnerChange: operation({
    access: 'verified',
    errors: ['team/change-not-found', 'team/change-over'],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/team-changes/{teamMoveId}/undo',
      summary:
        'Restore the owners from before a change, within 72 hours, by one of them, also one who was removed',
    })
    .input(ofMove)
    .output(ownerChange),
};
