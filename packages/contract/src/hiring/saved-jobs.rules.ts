/** The most jobs an account can save. Two concurrent requests can exceed it by one. */
export const savedJobsMax = 500;

/** Marks the address of a job or search that is saved when it opens, so that sign-in doesn't lose what a guest saved. */
export const saveParameter = 'save';
export const saveJobPath = (jobId: string): string => `/job-desc/${jobId}?${saveParameter}=1`;
