/** An instant hire needs one of the job's skills, if it lists any. */
export const qualifies = (jobSkills: readonly string[], workerSkills: readonly string[]): boolean =>
  jobSkills.length === 0 || jobSkills.some((skill) => workerSkills.includes(skill));
