import type { Side } from './sides.ts';

/** Paths in notices, mails, calendar files and chat lines; the web's `routes.test.ts` checks them. */

/** A path of the app, never another site: one slash, then no spaces. At most 300 characters. */
export const appPathShape = /^\/(?![/\\])[\x21-\x7e]{0,299}$/;

const handOverStart = '/loading?back=';

/** The way back to a page of the phone's app, for pages that it opens in the phone's browser. */
export const handOverPath = (path: string): string => `${handOverStart}${encodeURIComponent(path)}`;

/** The page of the app that a path of `handOverPath` returns to. Any other path is returned unchanged. */
export function pageOfWayBack(path: string): string {
  if (!path.startsWith(handOverStart)) return path;
  const page = new URLSearchParams(path.slice(path.indexOf('?'))).get('back') ?? '';
  return appPathShape.test(page) ? page : '/';
}

export const jobPath = (jobId: string): string => `/job-desc/${jobId}`;

/**
 * Marks the address of a job or search that is saved when it opens, so that sign-in doesn't lose a guest's
 * save.
 */
export const saveParameter = 'save';
/** The page of a job that also saves it, for guests who signed in to save. */
export const saveJobPath = (jobId: string): string => `${jobPath(jobId)}?${saveParameter}=1`;

export const followedBusinessesPath = '/favorite?part=businesses';

export const applicantsPath = (jobId: string, applicationId: string | null): string =>
  `/job-applicants/${jobId}${applicationId === null ? '' : `?applicant=${applicationId}`}`;

export const savedWorkersPath = (offerId: string | null): string =>
  `/saved-workers${offerId === null ? '' : `?offer=${offerId}`}`;

/** The worker's page of an application, where they also answer offers. */
export const applicationPath = (applicationId: string): string => `/tabs/menu/my-work/${applicationId}`;

export const engagementPath = (engagementId: string, side: Side): string =>
  `/tabs/menu/${side === 'worker' ? 'my-work' : 'jobs'}/engagement/${engagementId}`;

export const interviewPath = (interviewId: string): string => `/interview?id=${interviewId}`;

export const giveawayPath = (giveawayId: string): string => `/giveaway?id=${giveawayId}`;

/** The options for a booked shift that its worker can't do. */
export const waysOutPath = (engagementId: string): string => `/giveaway?work=${engagementId}`;

export const conversationPath = (conversationId: string): string => `/chat?c=${conversationId}`;

export const checksPath = '/verify';

export const verificationPath = (businessId: string): string => `/verify?business=${businessId}`;

export const teamPath = (businessId: string): string => `/edit-business?part=team&business=${businessId}`;

export const joinTeamPath = (token: string): string => `/join-team/${token}`;

export const ownerChangePath = (teamMoveId: string): string => `/owner-change/${teamMoveId}`;

/** The account settings; with the ticket of a data export, which can be downloaded there. */
export const accountSettingsPath = (exportTicket?: string): string =>
  `/account-settings${exportTicket === undefined ? '' : `?export=${encodeURIComponent(exportTicket)}`}`;

/** The balance, for withdrawing the rest before closing the account. */
export const withdrawRestPath = '/withdraw?closing=yes';

export const writeReviewPath = (side: Side, work: { engagementId: string; businessId: string }): string =>
  side === 'worker'
    ? `/rating-review?write=${work.engagementId}`
    : `/business-review?business=${work.businessId}&part=to-write&write=${work.engagementId}`;

export const reviewsPath = (
  side: Side,
  { businessId, part }: { businessId: string; part: 'received' | 'given' },
): string =>
  side === 'worker' ? `/rating-review?part=${part}` : `/business-review?business=${businessId}&part=${part}`;

export const workerReviewsPath = (workerId: string): string => `/business-review?worker=${workerId}`;

export const ticketPath = (ticketId: string): string => `/tabs/menu/request/${ticketId}`;

/** A guest's request, opened by the link in a mail. */
export const guestTicketPath = (ticketId: string, link: string): string =>
  `${ticketPath(ticketId)}?link=${encodeURIComponent(link)}`;

export const reportPath = (kind: 'job' | 'business' | 'worker' | 'review', subjectId: string): string =>
  `/tabs/menu/report/${kind}/${subjectId}`;

export const decisionsPath = '/tabs/menu/decisions';

export const reportsPath = `${decisionsPath}?show=reports`;

/** The caller's reports, with one of them open. */
export const ownReportPath = (reportId: string): string => `${reportsPath}&report=${reportId}`;

export const sanctionPath = (sanctionId: string): string => `/tabs/menu/decisions/${sanctionId}`;

/** The budgets of a business, with the requests that wait for its owners. */
export const budgetsPath = (businessId: string): string =>
  `/merchant-transaction?show=budgets&business=${businessId}`;

export const finishedWorkPath = (businessId: string): string => `/completed-job?business=${businessId}`;

export const statementPath = (businessId: string): string => `/merchant-transaction?business=${businessId}`;

/** The account and reference for a transfer to the balance of a business. */
export const bankTransferPath = (businessId: string): string =>
  `/merchant-transaction?show=transfer&business=${businessId}`;

/** The invoices in a worker's name. */
export const workerInvoicesPath = '/user-transaction?show=invoices';

/** The worker's details for the tax office, and their reported pay. */
export const taxOfficePath = '/user-transaction?show=tax-office';

/** The invoices of a business, including its workers'. */
export const businessInvoicesPath = (businessId: string): string =>
  `/merchant-transaction?show=invoices&business=${businessId}`;
