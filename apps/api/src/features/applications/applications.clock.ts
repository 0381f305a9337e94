/** The task that watches an application until it is answered, and the key it waits under. */
export const clockTaskName = 'applications.clock';
export const clockKey = (applicationId: string): string => `${clockTaskName}/${applicationId}`;
