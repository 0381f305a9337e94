import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { day, id, instant, line, prose } from '../operation.ts';
import { chosenTimeZone, point } from '../people/places.ts';
import { categoryIds, skillIds } from '../people/taxonomy.ts';
import { jobRelations } from '../work/pay.rules.ts';
import { jobKinds } from '../work/terms.ts';
import { type JobFlag, jobFlags, mapTexts } from './jobs.rules.ts';
import { hiringLimits } from './limits.ts';

export const questionKinds = ['text', 'yes_no', 'number', 'choice'] as const;

export const jobQuestion = z.object({
  id,
  prompt: z.string(),
  kind: z.enum(questionKinds),
  choices: z.array(z.string()),
  required: z.boolean(),
});
export type JobQuestion = z.infer<typeof jobQuestion>;

const questionInput = z
  .object({
    prompt: line(hiringLimits.questionMax),
    kind: z.enum(questionKinds),
    choices: z.array(line(hiringLimits.choiceMax)).max(hiringLimits.choicesMax).default([]),
    required: z.boolean().default(true),
  })
  .refine(
    (question) => (question.kind === 'choice' ? question.choices.length >= 2 : question.choices.length === 0),
    {
      message: 'a choice needs two answers or more, other kinds none',
      path: ['choices'],
    },
  );

const optionalFlags = Object.fromEntries(jobFlags.map((flag) => [flag, z.boolean().optional()])) as Record<
  JobFlag,
  z.ZodOptional<z.ZodBoolean>
>;

/** Local days of the shift's place on which the same shift is posted too, each as a separate job. */
const alsoOnDays = z
  .array(day)
  .max(hiringLimits.alsoOnDaysMax)
  .refine((days) => new Set(days).size === days.length, { message: 'each day once' });

/** Other days for a shift that is posted. */
export const postedDays = z.object({
  /** At the same local times. */
  alsoOn: alsoOnDays.optional(),
  /** Hires the shift and its other days only together (ADR 414). Needs `alsoOn`. */
  asBlock: z.boolean().optional(),
});

/** The times at which a known shift is posted, from a template or as a copy. */
export const postedShift = z.object({
  startsAt: instant,
  endsAt: instant,
  headCount: z.number().int().min(1).max(hiringLimits.headCountMax),
  /** As in `jobs.publish`. A draft has none. */
  ...postedDays.shape,
  asDraft: z.boolean().default(false),
});

/** A block has other days. */
export const blockHasDays = ({ alsoOn = [], asBlock }: z.infer<typeof postedDays>): boolean =>
  !asBlock || alsoOn.length > 0;
export const blockWithoutDays = { message: 'other days for a block', path: ['asBlock'] };

/** A draft's fields; publishing requires the rest (`job/incomplete` names what is missing). */
export const jobDraft = z.object({
  kind: z.enum(jobKinds),
  title: line(hiringLimits.titleMax),
  category: z.enum(categoryIds),
  description: prose(hiringLimits.descriptionMax).optional(),
  requirements: z.array(line(hiringLimits.requirementMax)).max(hiringLimits.requirementsMax).optional(),
  skills: z.array(z.enum(skillIds)).max(hiringLimits.jobSkillsMax).optional(),
  /** Minor units: hourly for a shift, total for a task. */
  payMinor: z.number().int().min(1).max(maxMinor).nullable().optional(),
  headCount: z.number().int().min(1).max(hiringLimits.headCountMax).optional(),
  startsAt: instant.nullable().optional(),
  endsAt: instant.nullable().optional(),
  breakMinutes: z.number().int().min(0).max(hiringLimits.breakMinutesMax).optional(),
  breakPaid: z.boolean().optional(),
  dueOn: day.nullable().optional(),
  relation: z.enum(jobRelations).nullable().optional(),
  /** The branch of the job; absent or null for a job of the whole business. */
  branchId: id.nullable().optional(),
  /** The place; absent for the branch's address, or the business's without a branch. */
  place: z
    .object({
      address: line(limits.addressMax),
      area: line(limits.areaMax),
      ...point.shape,
      privateAddress: z.boolean(),
      timeZone: chosenTimeZone,
    })
    .optional(),
  ...mapTexts(() => prose(limits.reasonMax, 1).nullable().optional()),
  ...optionalFlags,
  photoIds: z
    .array(id)
    .max(hiringLimits.jobPhotosMax)
    .refine((ids) => new Set(ids).size === ids.length, { message: 'each photo once' })
    .optional(),
  questions: z.array(questionInput).max(hiringLimits.questionsMax).optional(),
});
export type JobDraft = z.infer<typeof jobDraft>;
