import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, id, instant, operation, prose } from '../operation.ts';
import { budgetPeriods } from './budgets.rules.ts';

const period = z.enum(budgetPeriods);

/**
 * Money that may be set aside for work of one month or week: by the whole business, for one branch, or by one
 * member. Minor units, our fee included. Owners may exceed a budget.
 */
export const budget = z.object({
  period,
  /** The first day of the month or week, which begins on Monday. */
  from: day,
  kind: z.enum(['business', 'branch', 'member']),
  branchId: id.nullable(),
  memberId: id.nullable(),
  /** The name of the branch or member; empty for the whole business. */
  name: z.string(),
  /** The limit of every month or week; null if there is none. */
  limitMinor: z.number().int().nullable(),
  /** The amount that an owner approved on top, for this month or week only. */
  raisedMinor: z.number().int(),
  /** Set aside or already paid for work of this month or week. */
  usedMinor: z.number().int(),
});
export type Budget = z.infer<typeof budget>;

export const budgetRequest = z.object({
  id,
  status: z.enum(['open', 'approved', 'refused']),
  jobId: id,
  jobTitle: z.string(),
  memberName: z.string(),
  /** The applicant whom the member wants to make an offer, for owners and that member; otherwise null. */
  workerName: z.string().nullable(),
  /** The offered pay, hourly for a shift and total for a task; null if `workerName` is. */
  payMinor: z.number().int().nullable(),
  /** The kind of budget it is about, and the first day of that month or week. */
  period,
  from: day,
  /** The amount that the member wants to set aside for the job in it. */
  amountMinor: z.number().int(),
  currency,
  createdAt: instant,
  /** The start of the shift, at its place; null for a task. */
  startsAt: instant.nullable(),
  timeZone: z.string(),
  /** The budgets that the amount exceeds, the tightest first; empty for a decided request. */
  exceeded: z.array(budget),
  /** The reason for a refusal; empty if none was written. */
  reason: z.string(),
});
export type BudgetRequest = z.infer<typeof budgetRequest>;

const budgetList = z.object({
  /** The day whose month and week are listed. */
  day,
  currency,
  budgets: z.array(budget),
  /** Open requests, oldest first, at most 50. */
  requests: z.array(budgetRequest),
  canChange: z.boolean(),
});
export type BudgetList = z.infer<typeof budgetList>;

const jobBudgets = z.object({
  currency,
  /** The budgets that have a limit. */
  budgets: z.array(budget),
  /** True for owners, who may exceed a budget. */
  mayExceed: z.boolean(),
  /** The caller's last request for this job about each kind of budget. */
  requests: z.array(budgetRequest).max(budgetPeriods.length),
});
export type JobBudgets = z.infer<typeof jobBudgets>;

const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
const plannedOffer = {
  jobId: id,
  /** The day of the offered shift, if it is a copy of the job. */
  day: day.optional(),
  /** An open offer for the job that the new one corrects; its money returns first and doesn't count. */
  replaces: id.optional(),
};
const jobErrors = ['job/not-found', 'job/not-allowed'] as const;

/** Budgets limit what is set aside for new work. Pay for work done, overtime and tips are never refused for them. */
export const budgets = {
  list: operation({ access: 'member:finance', errors: businessErrors })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/budgets',
      summary:
        'Budgets of the business, its branches and members, with what a month and a week have used of them',
    })
    .input(
      z.object({
        businessId: id,
        /** Lists the month and the week of this day; without it, of today. */
        day: day.optional(),
      }),
    )
    .output(budgetList),
  set: operation({
    access: 'member:owner',
    errors: [...businessErrors, 'branch/not-found', 'team/member-not-found'],
    effects: [],
  })
    .route({
      method: 'PUT',
      path: '/businesses/{businessId}/budgets',
      summary: 'Set or remove the monthly or weekly limit of the business, a branch or a member',
    })
    .input(
      z
        .object({
          businessId: id,
          period: period.default('month'),
          branchId: id.nullable().default(null),
          memberId: id.nullable().default(null),
          limitMinor: z.number().int().min(1).max(maxMinor).nullable(),
        })
        .refine(({ branchId, memberId }) => branchId === null || memberId === null, {
          path: ['memberId'],
          message: 'a branch or a member, not both',
        }),
    )
    .output(budgetList),
  mine: operation({ access: 'member:coordinator', errors: businessErrors })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/budgets/mine',
      summary: "The caller's own limits for the current month and week, with what they have used",
    })
    .input(z.object({ businessId: id }))
    .output(
      z.object({
        currency,
        budgets: z.array(budget),
      }),
    ),
  forJob: operation({ access: 'member:coordinator', errors: jobErrors })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/budgets',
      summary: "The budgets that the caller's next offer for a job counts against",
    })
    .input(z.object(plannedOffer))
    .output(jobBudgets),
  ask: operation({
    access: 'member:coordinator',
    errors: [...jobErrors, 'application/not-found', 'budget/not-exceeded'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/budget-requests',
      summary:
        'Ask the owners to set aside more for a job than budgets of a kind allow; replaces an open request',
      successStatus: 201,
    })
    .input(
      z.object({
        ...plannedOffer,
        /** The kind of budget to go over. */
        period: period.default('month'),
        amountMinor: z.number().int().min(1).max(maxMinor),
        /** The application to the job that the offer is for; owners see its worker and the pay. */
        applicationId: id.optional(),
        /** The pay of the offer, if it differs from the job's. */
        payMinor: z.number().int().min(1).max(maxMinor).optional(),
      }),
    )
    .output(budgetRequest),
  decide: operation({
    access: 'member:owner',
    errors: ['budget/request-not-found', 'budget/not-allowed', 'budget/decided'],
    effects: ['text:reason'],
  })
    .route({
      method: 'POST',
      path: '/budget-requests/{budgetRequestId}/decide',
      summary:
        'Approve a request, which raises the exceeded budgets of that month or week by the excess, or refuse it',
    })
    .input(
      z
        .object({
          budgetRequestId: id,
          approve: z.boolean(),
          reason: prose(limits.reasonMax).default(''),
        })
        .refine(({ approve, reason }) => !approve || reason === '', {
          path: ['reason'],
          message: 'only for a refusal',
        }),
    )
    .output(budgetRequest),
};
