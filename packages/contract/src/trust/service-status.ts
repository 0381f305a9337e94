import { z } from 'zod';
import { id, instant, operation, prose } from '../operation.ts';
import { serviceParts, serviceStatusLimits } from './service-status.rules.ts';

/** An announcement of staff to everyone, from `startsAt` until `endsAt` (null: until it is ended). */
export const serviceMessage = z.object({
  id,
  text: z.string(),
  startsAt: instant,
  endsAt: instant.nullable(),
});
export type ServiceMessage = z.infer<typeof serviceMessage>;

/** `slow`: parts that are late or failing now. */
export const serviceState = z.object({
  message: serviceMessage.nullable(),
  slow: z.array(z.enum(serviceParts)),
});
export type ServiceState = z.infer<typeof serviceState>;

/** The state of the service, for everyone. `operators` writes staff's messages. */
export const serviceStatus = {
  get: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/service-status',
      summary: 'Get the status of the service, with notes of staff',
    })
    .output(serviceState),
};

export const serviceMessageInput = z
  .object({
    text: prose(serviceStatusLimits.textMax, 1),
    startsAt: instant.optional(),
    endsAt: instant.optional(),
  })
  .refine(({ startsAt, endsAt }) => !startsAt || !endsAt || Date.parse(endsAt) > Date.parse(startsAt), {
    path: ['endsAt'],
    message: 'after startsAt',
  });
