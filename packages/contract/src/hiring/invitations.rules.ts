/** The most jobs a business may invite the same worker to within 24 hours. */
export const invitationsPerWorkerDay = 5;
