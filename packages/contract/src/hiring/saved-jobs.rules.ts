/** The most jobs an account can save. Two concurrent requests can exceed it by one. */
export const savedJobsMax = 500;
