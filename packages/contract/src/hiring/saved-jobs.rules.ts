/** How many jobs one account can keep saved. Two requests at once can pass it by one. */
export const mostSavedJobs = 500;
