import { z } from 'zod';
import { downloadLink } from '../money/downloads.ts';
import { id, operation } from '../operation.ts';
import { posterSizes, shareChannels } from './job-shares.rules.ts';
import { jobStatuses } from './jobs.rules.ts';

export const channelCount = z.object({
  channel: z.enum(shareChannels),
  /** Views of the public page, without known robots. */
  views: z.number().int(),
  applications: z.number().int(),
});
export type ChannelCount = z.infer<typeof channelCount>;

const jobErrors = ['job/not-found', 'job/not-allowed'] as const;

/** Sharing a job outside Nearhand, and the results by channel (spec: `/share-job`, ADR 153). */
export const jobShares = {
  overview: operation({ access: 'member:coordinator', errors: jobErrors })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/sharing',
      summary: "A job's public address, with views and applications per channel",
    })
    .input(z.object({ jobId: id }))
    .output(
      z.object({
        jobId: id,
        title: z.string(),
        status: z.enum(jobStatuses),
        business: z.object({ id, name: z.string(), verified: z.boolean() }),
        channels: z.array(channelCount),
      }),
    ),
  poster: operation({ access: 'member:coordinator', errors: [...jobErrors, 'job/not-open'], effects: [] })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/poster-link',
      summary: 'A link to a poster of an open job as PDF',
    })
    .input(z.object({ jobId: id, size: z.enum(posterSizes) }))
    .output(downloadLink),
};
