/**
 * Limits of jobs, applications and interviews (product.md, Constants).
 * A name without a unit counts items or characters. Two concurrent requests can exceed `savedJobsMax`,
 * `followedBusinessesMax` and `poolsMax` by one.
 */
export const hiringLimits = {
  savedJobsMax: 500,
  followedBusinessesMax: 200,
  poolsMax: 50,
  poolWorkersMax: 200,
  poolNameMax: 60,
  /** Jobs that a business may invite the same worker to within 24 hours. */
  invitationsPerWorkerDay: 5,
  rosterShiftsMax: 2_000,
  copiedShiftsMax: 100,
  copiedPeopleMax: 100,
  crewMax: 20,
  offerCandidatesMax: 100,
  /** A later day is treated as an error in the year. */
  jobAheadDaysMax: 730,
  /** The maximum number of other days that a shift can be posted on at once, and of weeks from its own. */
  alsoOnDaysMax: 59,
  alsoOnWeeksMax: 12,
  jobTemplatesMax: 50,
  /** Hours between the deadline for answering an application and the start of the work. */
  decideByLeadHours: 3,
  /** Days after an application at which the business is reminded of it. */
  nudgeDays: [3, 7, 12],
  interviewSlotsMax: 5,
  /** Answers with other times to one proposal, by both sides in turn. */
  interviewSuggestionsMax: 4,
  interviewsPerDay: 10,
  interviewAheadDays: 90,
  /** Hours between the deadline of an answer and the last proposed time. */
  interviewReplyLeadHours: 2,
  interviewOutcomeDueHours: 1,
  interviewDecideHours: 48,
  /** Searches for replacements in one answer. */
  replacementsMax: 200,
  reliabilityDays: 365,
  /** With fewer kept or broken agreements than this, no percentage is shown. */
  reliabilityLeastFacts: 3,
  calendarRangeDays: 93,
  /** Minor units. */
  hourlyPayMaxMinor: 10_000_000,
  headCountMax: 500,
  breakMinutesMax: 240,
  requirementsMax: 20,
  requirementMax: 200,
  jobSkillsMax: 20,
  jobPhotosMax: 6,
  questionsMax: 10,
  questionMax: 300,
  choicesMax: 10,
  choiceMax: 120,
  interviewWhereMax: 300,
  /** Minutes of an interview. */
  interviewMinutesMin: 10,
  interviewMinutesMax: 240,
  applicantWithinMinM: 100,
  applicantWithinMaxM: 500_000,
  titleMax: 120,
  descriptionMax: 5_000,
  coverNoteMax: 2_000,
  answerMax: 1_000,
  noteMax: 2_000,
  tagMax: 30,
  tagsMax: 8,
  compareMax: 4,
  /** A shift is offered to others at most this often, so that colleagues are not notified again and again. */
  giveawaysPerShift: 3,
  /** Colleagues listed by name, and the shifts of each. */
  colleaguesMax: 50,
  swapShiftsMax: 10,
  /** Searches that an account can save. Two concurrent requests can exceed it by one. */
  savedSearchesMax: 30,
} as const;
