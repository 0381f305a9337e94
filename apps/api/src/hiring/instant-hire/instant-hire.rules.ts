/** Whether an applicant may be hired on the spot: who gave the answers that applying demands has one of the job's skills, when it lists any. */
export const qualifies = (jobSkills: readonly string[], workerSkills: readonly string[]): boolean =>
  jobSkills.length === 0 || jobSkills.some((skill) => workerSkills.includes(skill));
