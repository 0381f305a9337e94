import type { Side } from './sides.ts';

/** Where notices, mails, calendar files and chat lines link in the app; the web's `routes.test.ts` checks them against its routes. */

/** A path of the app, never another site: one slash, then no spaces. At most 300 characters. */
export const appPathShape = /^\/(?![/\\])[\x21-\x7e]{0,299}$/;

/** A job, for anyone who may see it. */
export const jobPath = (jobId: string): string => `/job-desc/${jobId}`;

export const applicantsPath = (jobId: string, applicationId: string | null): string =>
  `/job-applicants/${jobId}${applicationId === null ? '' : `?applicant=${applicationId}`}`;

/** The saved workers of a business, optionally with an unpaid direct offer opened. */
export const savedWorkersPath = (offerId: string | null): string =>
  `/saved-workers${offerId === null ? '' : `?offer=${offerId}`}`;

/** An application, for its worker; offers are answered there too. */
export const applicationPath = (applicationId: string): string => `/tabs/menu/my-work/${applicationId}`;

export const engagementPath = (engagementId: string, side: Side): string =>
  `/tabs/menu/${side === 'worker' ? 'my-work' : 'jobs'}/engagement/${engagementId}`;

export const interviewPath = (interviewId: string): string => `/interview?id=${interviewId}`;

export const conversationPath = (conversationId: string): string => `/chat?c=${conversationId}`;

/** What is checked about the caller. */
export const checksPath = '/verify';

export const verificationPath = (businessId: string): string => `/verify?business=${businessId}`;

export const teamPath = (businessId: string): string => `/edit-business?part=team&business=${businessId}`;

export const joinTeamPath = (token: string): string => `/join-team/${token}`;

/** A change of a business's owners, which those before it can undo. */
export const ownerChangePath = (teamMoveId: string): string => `/owner-change/${teamMoveId}`;

/** The account settings; with the ticket of a data export, which can be downloaded there. */
export const accountSettingsPath = (exportTicket?: string): string =>
  `/account-settings${exportTicket === undefined ? '' : `?export=${encodeURIComponent(exportTicket)}`}`;

/** The balance, for someone who withdraws the rest to close their account. */
export const withdrawRestPath = '/withdraw?closing=yes';

/** Where a side writes the review of some work. */
export const writeReviewPath = (side: Side, work: { engagementId: string; businessId: string }): string =>
  side === 'worker'
    ? `/rating-review?write=${work.engagementId}`
    : `/business-review?business=${work.businessId}&part=to-write&write=${work.engagementId}`;

/** The reviews that a side received or gave. */
export const reviewsPath = (
  side: Side,
  { businessId, part }: { businessId: string; part: 'received' | 'given' },
): string =>
  side === 'worker' ? `/rating-review?part=${part}` : `/business-review?business=${businessId}&part=${part}`;

/** What businesses wrote about a worker who applied to the reader. */
export const workerReviewsPath = (workerId: string): string => `/business-review?worker=${workerId}`;

/** A request to Nearhand's staff, for the person who wrote it. */
export const ticketPath = (ticketId: string): string => `/tabs/menu/request/${ticketId}`;

export const reportPath = (kind: 'job' | 'business' | 'worker' | 'review', subjectId: string): string =>
  `/tabs/menu/report/${kind}/${subjectId}`;

/** Decisions about the caller and the businesses they hire for. */
export const decisionsPath = '/tabs/menu/decisions';

export const reportsPath = `${decisionsPath}?show=reports`;

/** A decision about a person or business, with its reasons and the appeal. */
export const sanctionPath = (sanctionId: string): string => `/tabs/menu/decisions/${sanctionId}`;
