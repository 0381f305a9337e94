import type { Side } from './sides.ts';

/** Where notices, mails, calendar files and chat lines link in the app; the web's `routes.test.ts` checks them against its routes. */

/** A job, for anyone who may see it. */
export const jobPath = (jobId: string): string => `/job-desc/${jobId}`;

/** The applicants of a job, optionally with one opened. */
export const applicantsPath = (jobId: string, applicationId: string | null): string =>
  `/job-applicants/${jobId}${applicationId === null ? '' : `?applicant=${applicationId}`}`;

/** The saved workers of a business, optionally with an unpaid direct offer opened. */
export const savedWorkersPath = (offerId: string | null): string =>
  `/saved-workers${offerId === null ? '' : `?offer=${offerId}`}`;

/** An application, for its worker; offers are answered there too. */
export const applicationPath = (applicationId: string): string => `/tabs/menu/my-work/${applicationId}`;

/** Booked work, as each side sees it. */
export const engagementPath = (engagementId: string, side: Side): string =>
  `/tabs/menu/${side === 'worker' ? 'my-work' : 'jobs'}/engagement/${engagementId}`;

/** An interview, for either side. */
export const interviewPath = (interviewId: string): string => `/interview?id=${interviewId}`;

/** A conversation, for either side. */
export const conversationPath = (conversationId: string): string => `/chat?c=${conversationId}`;

/** The team of a business, for its members. */
export const teamPath = (businessId: string): string => `/edit-business?part=team&business=${businessId}`;

/** An invitation to a team. */
export const joinTeamPath = (token: string): string => `/join-team/${token}`;

/** The account settings; with the ticket of a data export, which can be downloaded there. */
export const accountSettingsPath = (exportTicket?: string): string =>
  `/account-settings${exportTicket === undefined ? '' : `?export=${encodeURIComponent(exportTicket)}`}`;

/** A request to Nearhand's staff, for the person who wrote it. */
export const ticketPath = (ticketId: string): string => `/tabs/menu/request/${ticketId}`;
