/** The stages in which the business owes an answer by its decide-by (ADR 18). */
export const owedStages: readonly string[] = ['new', 'shortlisted', 'interviewing'];
