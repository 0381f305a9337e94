/** The job's skills that the worker's profile lacks. An instant hire needs all of them. */
export const lackedSkills = <Skill extends string>(
  jobSkills: readonly Skill[],
  workerSkills: readonly string[],
): Skill[] => jobSkills.filter((skill) => !workerSkills.includes(skill));
