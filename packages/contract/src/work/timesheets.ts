import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { dayMs, minuteMs } from '../durations.ts';
import { limits } from '../limits.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { engagement, engagementMove, engagementMoveErrors, engagementOne } from './engagements.ts';
import { workLimits } from './limits.ts';

const hours = {
  startsAt: instant,
  endsAt: instant,
  breakMinutes: z
    .number()
    .int()
    .min(0)
    .max(dayMs / minuteMs),
};

/** A business's rule that approves hours near the plan by itself (ADR 43). */
export const approvalRule = z.object({
  /** Start, end and break may each differ from the plan by this; null while the rule is off. */
  minutes: z.number().int().nullable(),
  /** Hours after which it approves what was sent, so that someone may look first. */
  afterHours: z.number().int(),
  /** The member who set it last, and when; null if nobody ever did. */
  setBy: z.string().nullable(),
  setAt: instant.nullable(),
  canChange: z.boolean(),
});
export type ApprovalRule = z.infer<typeof approvalRule>;

/** Settling pay: hours and counter-proposals for a shift, deliveries for a task. */
export const timesheets = {
  submitHours: operation({
    access: 'verified',
    errors: [
      ...engagementMoveErrors,
      'engagement/too-early',
      'engagement/not-funded',
      'timesheet/hours-impossible',
      'timesheet/below-paid',
      'timesheet/corrections-used',
    ],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove('hours', 'Submit hours, correct them, or answer a counter-proposal with other hours'),
    )
    .input(engagementOne.extend({ ...hours, note: prose(limits.reasonMax).default('') }))
    .output(engagement),
  counter: operation({
    access: 'member:recruiter',
    errors: [
      ...engagementMoveErrors,
      'timesheet/hours-impossible',
      'timesheet/counter-higher',
      'timesheet/below-paid',
    ],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove('counter', 'Propose fewer hours, with a reason; the undisputed part is paid at once'),
    )
    .input(engagementOne.extend({ ...hours, note: prose(limits.reasonMax, 1) }))
    .output(engagement),
  acceptCounter: operation({
    access: 'verified',
    errors: [...engagementMoveErrors],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('accept-counter', 'Accept the hours proposed by the business'))
    .input(engagementOne)
    .output(engagement),
  deliver: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'timesheet/no-delivery', 'file/not-found', 'file/wrong-type'],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('delivery', 'Deliver a task, with photos or files'))
    .input(
      engagementOne.extend({
        note: prose(limits.messageMax).default(''),
        fileIds: z.array(id).max(limits.deliveryFilesMax).default([]),
      }),
    )
    .output(engagement),
  requestChanges: operation({
    access: 'member:coordinator',
    errors: [...engagementMoveErrors],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('request-changes', 'Request changes to a delivery'))
    .input(engagementOne.extend({ note: prose(limits.messageMax, 1) }))
    .output(engagement),
  approve: operation({
    access: 'member',
    errors: [...engagementMoveErrors, 'payment/hold-short', 'payment/balance-short'],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('approve', 'Approve hours or a delivery and release the pay'))
    .input(
      engagementOne.extend({
        /** The most that the balance may add to a hold that is too small, fee included; it adds only what is missing. */
        addMinor: z.number().int().min(1).max(maxMinor).optional(),
      }),
    )
    .output(engagement),
  rule: operation({ access: 'member', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/approval-rule',
      summary: 'The rule that approves hours near the plan by itself',
    })
    .input(z.object({ businessId: id }))
    .output(approvalRule),
  setRule: operation({
    access: 'member:manager',
    errors: ['business/not-found', 'business/not-allowed'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({
      method: 'PUT',
      path: '/businesses/{businessId}/approval-rule',
      summary: 'Turn the rule that approves hours near the plan on, change its minutes, or turn it off',
    })
    .input(
      z.object({
        businessId: id,
        /** Null turns it off. */
        minutes: z.number().int().min(0).max(workLimits.ruleMinutesMax).nullable(),
      }),
    )
    .output(approvalRule),
};
